import { compareText } from "../../core/hash.ts";
import type { OnProgress } from "../jsonl.ts";
import type { ScenarioSet } from "../types.ts";
import type { UnionFind } from "../union-find.ts";
import { equalTexts } from "./equal-texts.ts";
import { joinSimilar } from "./join.ts";
import { readRecords } from "./records.ts";
import { addEarlier, screenTexts, type TextSource } from "./screen.ts";
import { Shingler } from "./shingler.ts";

/** Two traces whose texts are equal or nearly so; `a` has the smaller id. */
export interface NearEdge {
  /** Positions in the set. */
  readonly a: number;
  readonly b: number;
  /** Of the word 5-grams, 0.5 to 1; 1 for equal texts. */
  readonly jaccard: number;
  /** The texts are the same word for word. */
  readonly equal: boolean;
}

/**
 * Finds equal texts, and near-duplicates between groups (word 5-gram Jaccard ≥ 0.5, computed
 * exactly). Texts are compared as `comparedText` writes them; texts of fewer than five words can
 * only be equal.
 *
 * Each row of a group of equal texts has an edge to the one with the smallest id, which stands for
 * all of them among near-duplicates. Pairs within a group are listed only when they are equal.
 * Beyond eight partners a text's further edges are left out where they join nothing new: the
 * components that groups and edges form are always exact.
 *
 * @param groups families and links; is not changed
 * @param options.onProgress gets texts read and a number of texts that it will not exceed
 * @returns ordered by the ids of a and b; independent of the order of the set
 */
export async function findNearDuplicates(
  set: Pick<ScenarioSet, "heads" | "readTrace">,
  groups: UnionFind,
  { onProgress }: { readonly onProgress?: OnProgress | undefined } = {},
): Promise<NearEdge[]> {
  const total = 2 * set.heads.length;
  let read = 0;
  const onText = () => onProgress?.(Math.min(++read, total), total);
  const source: TextSource = { set, groups, shingler: new Shingler(), onText };
  const screening = await screenTexts(source);
  const equal = equalTexts(set, screening);
  const components = groups.copy();
  for (const { a, b } of equal) components.join(a, b);
  const copies = new Set(equal.map(({ b }) => b));
  const later = screening.later.filter((position) => !copies.has(position));
  const edges: NearEdge[] = equal.map((pair) => ({ ...pair, jaccard: 1, equal: true }));
  if (later.length > 0) {
    const both = await addEarlier(source, screening, later);
    const candidates = both.filter((position) => !copies.has(position));
    const records = await readRecords(source, candidates, screening.shared);
    const pairs = await joinSimilar(records, groups, components);
    for (const pair of pairs) edges.push({ ...pair, equal: false });
  }
  onProgress?.(total, total);
  return inIdOrder(set, edges);
}

function inIdOrder({ heads }: Pick<ScenarioSet, "heads">, edges: readonly NearEdge[]): NearEdge[] {
  const idOf = (position: number) => heads[position]?.id ?? "";
  return edges
    .map((edge) => {
      const { a, b } = edge;
      return compareText(idOf(a), idOf(b)) <= 0 ? edge : { ...edge, a: b, b: a };
    })
    .sort((x, y) => compareText(idOf(x.a), idOf(y.a)) || compareText(idOf(x.b), idOf(y.b)));
}
