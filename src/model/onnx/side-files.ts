import { isAbsolute } from "node:path";
import { checkFile, type FolderFaults } from "./folder-faults.ts";
import type { GraphFile } from "./graph-file.ts";

/** The files beside a graph that hold its tensors, as the graph names them. */
export interface SideFiles {
  readonly files: readonly string[];
  readonly bytes: number;
}

/**
 * Finds a graph's side files and checks that each exists and reaches as far as its last tensor;
 * null, with faults noted, when one does not.
 *
 * @param graphFolder the graph's folder relative to the model's; empty or ending in a slash
 */
export function checkSideFiles(
  graph: GraphFile,
  folder: string,
  graphFolder: string,
  graphName: string,
  faults: FolderFaults,
): SideFiles | null {
  const needs = collectNeeds(graph);
  let bytes = 0;
  let isWhole = true;
  for (const [location, need] of needs) {
    const size = checkNeed(location, need, { folder, graphFolder, graphName }, faults);
    if (size === null) isWhole = false;
    else bytes += size;
  }
  return isWhole ? { files: [...needs.keys()], bytes } : null;
}

/** What a graph expects of one side file. */
interface Need {
  readonly tensors: number;
  /** Where the furthest tensor ends, and which one that is. */
  readonly bytes: number;
  readonly last: string;
}

function collectNeeds({ tensors }: GraphFile): Map<string, Need> {
  const needs = new Map<string, Need>();
  for (const { name, external } of tensors) {
    if (external === null) continue;
    const before = needs.get(external.location) ?? { tensors: 0, bytes: 0, last: name };
    const end = external.offset + (external.length ?? 0);
    const furthest = end > before.bytes ? { bytes: end, last: name } : before;
    needs.set(external.location, { ...furthest, tensors: before.tensors + 1 });
  }
  return needs;
}

/** The file's size; null, with a fault noted, when it cannot hold what the graph expects. */
function checkNeed(
  location: string,
  { tensors, bytes, last }: Need,
  at: { readonly folder: string; readonly graphFolder: string; readonly graphName: string },
  faults: FolderFaults,
): number | null {
  if (isAbsolute(location) || location.split(/[\\/]/).includes("..")) {
    const message = `keeps tensors outside its own folder, in ${location}`;
    faults.add("invalid", at.graphName, `${message}; export it anew`);
    return null;
  }
  const file = `${at.graphFolder}${location}`;
  const fix = `${at.graphName} keeps ${tensors} tensors in it; download it beside the graph`;
  const size = checkFile(at.folder, file, faults, fix);
  if (size === null || size >= bytes) return size;
  const message = `has ${size} bytes, but tensor ${last} of ${at.graphName} ends at ${bytes}`;
  faults.add("unreadable", file, `${message}; download it again`);
  return null;
}
