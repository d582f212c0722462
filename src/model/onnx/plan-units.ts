import { type Asked, type GenerateUnit, MOST_ROWS } from "./generate.ts";
import { buildPrefixTree, type PrefixNode } from "./prefix-tree.ts";
import type { ScoreUnit } from "./score-letters.ts";
import type { TreeUnit } from "./walk-tree.ts";

/** A prompt to read, with what is wanted of it. */
export interface Prompt<Wanted> {
  readonly ids: readonly number[];
  readonly wanted: Wanted;
}

/**
 * Tokens that all prompts of a kind begin with, read once by each worker; null to share nothing,
 * so that every prompt is read by itself from its first token.
 */
export type SharedTokens = readonly number[] | null;

/** A subtree with more leaves than this is dealt out child by child. */
const MOST_LEAVES = 8;

/**
 * Units that score prompts, given by item; `wanted` are the ids of the letters behind each.
 * Which unit holds what depends on the prompts alone, never on how many workers there are.
 */
export function planScoring(
  prompts: ReadonlyMap<number, Prompt<readonly number[]>>,
  shared: SharedTokens,
): ScoreUnit[] {
  return planTrees(prompts, shared).map((unit) => ({
    ...unit,
    letterIds: pickWanted(prompts, itemsOf(unit.node)),
  }));
}

/** Units that answer prompts, each with about as many answers as one call writes. */
export function planGenerating(
  prompts: ReadonlyMap<number, Prompt<Asked>>,
  shared: SharedTokens,
): GenerateUnit[] {
  // In the order of the tree, so that prompts that share much come to one unit.
  const order = planTrees(prompts, shared).flatMap((unit) => itemsOf(unit.node));
  const groups: number[][] = [];
  let rows = MOST_ROWS;
  for (const item of order) {
    const wanted = prompts.get(item)?.wanted.samples.length ?? 0;
    if (rows >= MOST_ROWS) {
      groups.push([]);
      rows = 0;
    }
    groups.at(-1)?.push(item);
    rows += wanted;
  }
  return groups.map((items) => {
    const group = new Map([...prompts].filter(([item]) => items.includes(item)));
    const node = buildItemTree(group, shared);
    return { path: shared ? [shared] : [], node, asked: pickWanted(prompts, items) };
  });
}

function planTrees(
  prompts: ReadonlyMap<number, Prompt<unknown>>,
  shared: SharedTokens,
): TreeUnit[] {
  if (shared === null) {
    return [...prompts].map(([item, { ids }]) => ({
      path: [],
      node: { tokens: [], children: [], leaves: [{ tokens: ids, items: [item] }] },
    }));
  }
  return dealOut({ path: [shared], node: buildItemTree(prompts, shared) });
}

/** The tree of what follows the shared tokens, its leaves named by item. */
function buildItemTree(
  prompts: ReadonlyMap<number, Prompt<unknown>>,
  shared: SharedTokens,
): PrefixNode {
  const items = [...prompts.keys()];
  const start = shared?.length ?? 0;
  const rest = [...prompts.values()].map(({ ids }) => ids.slice(start));
  const named = (node: PrefixNode): PrefixNode => ({
    tokens: node.tokens,
    children: node.children.map(named),
    leaves: node.leaves.map((leaf) => ({
      tokens: leaf.tokens,
      items: leaf.items.map((position) => items[position] as number),
    })),
  });
  return named(buildPrefixTree(rest));
}

/** A small subtree as it is; of a large one its children, and its own leaves a few at a time. */
function dealOut({ path, node }: TreeUnit): TreeUnit[] {
  if (countLeaves(node) <= MOST_LEAVES) return [{ path, node }];
  const below = node.tokens.length > 0 ? [...path, node.tokens] : path;
  const units = node.children.flatMap((child) => dealOut({ path: below, node: child }));
  for (let i = 0; i < node.leaves.length; i += MOST_LEAVES) {
    const leaves = node.leaves.slice(i, i + MOST_LEAVES);
    units.push({ path: below, node: { tokens: [], children: [], leaves } });
  }
  return units;
}

function countLeaves(node: PrefixNode): number {
  return node.children.reduce((sum, child) => sum + countLeaves(child), node.leaves.length);
}

function itemsOf(node: PrefixNode): number[] {
  return [...node.leaves.flatMap((leaf) => leaf.items), ...node.children.flatMap(itemsOf)];
}

function pickWanted<Wanted>(
  prompts: ReadonlyMap<number, Prompt<Wanted>>,
  items: readonly number[],
): Map<number, Wanted> {
  return new Map(items.map((item) => [item, (prompts.get(item) as Prompt<Wanted>).wanted]));
}
