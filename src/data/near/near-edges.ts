import type { OnProgress } from "../jsonl.ts";
import { familyGroups } from "../lineage.ts";
import type { ScenarioSet } from "../types.ts";
import { findNearDuplicates, type NearEdge } from "./near-duplicates.ts";

/** Edges that were computed; a loaded set never changes, and goes with its edges. */
const known = new WeakMap<ScenarioSet, readonly NearEdge[]>();

/**
 * The near-duplicates of a set between its families (`findNearDuplicates`), computed once for each
 * loaded set: whoever splits, audits and exports one set in one process waits for them once.
 */
export async function nearEdges(
  set: ScenarioSet,
  { onProgress }: { readonly onProgress?: OnProgress | undefined } = {},
): Promise<readonly NearEdge[]> {
  const edges =
    known.get(set) ?? (await findNearDuplicates(set, familyGroups(set.heads), { onProgress }));
  known.set(set, edges);
  return edges;
}
