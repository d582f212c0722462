import { join, posix } from "node:path";
import { findDataFolder } from "./data-folder.ts";
import { type DecoderLayout, givesAddedAlone, readLayout, weightFormat } from "./decoder-layout.ts";
import { detachGraph, type GraphOutput, planHead, type WholeHeadReason } from "./detached-graph.ts";
import type { FolderFaults } from "./folder-faults.ts";
import { type GraphFile, readGraphFile } from "./graph-file.ts";
import { accessFile, type RandomAccess } from "./random-access.ts";
import { checkSideFiles } from "./side-files.ts";

/** How a graph gives logits for chosen positions instead of all. */
export type HeadMode = "num_logits_to_keep" | "rewritten" | "whole";

/** A graph as it goes to the runtime. */
export interface ModelGraph {
  /** Without big tensors, which stay in the model's own files. */
  readonly bytes: Uint8Array;
  /** The folder under which the runtime finds those files. */
  readonly dataFolder: string;
  readonly layout: DecoderLayout;
  readonly head: HeadMode;
  /** Why the head is `whole`; null for the other modes. */
  readonly wholeHeadReason: WholeHeadReason | null;
  /** Number format of the weights, such as `fp32`. */
  readonly weights: string;
  /** Bytes that the weights take once they are loaded, about. */
  readonly weightBytes: number;
  /** Relative to the model's folder. */
  readonly sideFiles: readonly string[];
}

/**
 * Reads a graph and takes its big tensors out; null, with faults noted, when it is broken, foreign
 * or without its side files. Nothing is written: the result lives in memory.
 *
 * @param name the graph's file, relative to the folder, with slashes
 */
export function readModelGraph(
  folder: string,
  name: string,
  faults: FolderFaults,
): ModelGraph | null {
  const source = accessFile(join(folder, name));
  try {
    const graph = readFrame(source, name, faults);
    return graph === null ? null : prepare(graph, folder, name, faults);
  } finally {
    source.close();
  }
}

function readFrame(source: RandomAccess, name: string, faults: FolderFaults): GraphFile | null {
  try {
    return readGraphFile(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `is no ONNX file or cut short: ${reason}, and the file has ${source.size}`;
    faults.add("unreadable", name, `${message}; download it again`);
    return null;
  }
}

function prepare(
  graph: GraphFile,
  folder: string,
  name: string,
  faults: FolderFaults,
): ModelGraph | null {
  const graphFolder = name.includes("/") ? `${posix.dirname(name)}/` : "";
  const side = checkSideFiles(graph, folder, graphFolder, name, faults);
  const layout = readLayout(graph, name, faults);
  if (side === null || layout === null) return null;
  const plan = layout.hasLogitsToKeep ? { head: null, reason: null } : planHead(graph, "logits");
  const pathOf = (location: string | null) =>
    join(folder, location === null ? name : `${graphFolder}${location}`);
  const data = findDataFolder([null, ...side.files].map(pathOf));
  const place = (location: string | null) => data.place(pathOf(location));
  return {
    bytes: detachGraph(graph, plan.head, addedOutputs(graph, layout), place),
    dataFolder: data.folder,
    layout,
    head: layout.hasLogitsToKeep ? "num_logits_to_keep" : plan.head ? "rewritten" : "whole",
    wholeHeadReason: plan.reason,
    weights: weightFormat(graph),
    weightBytes: graph.source.size + side.bytes,
    sideFiles: side.files.map((file) => `${graphFolder}${file}`),
  };
}

/** What the graph appends to its cache, to be handed out alone when texts are written. */
function addedOutputs({ inputs }: GraphFile, layout: DecoderLayout): GraphOutput[] {
  if (!givesAddedAlone(layout)) return [];
  return layout.slots.map(({ past, added }) => ({
    name: added as string,
    elementType: inputs.find(({ name }) => name === past)?.elementType ?? 0,
  }));
}
