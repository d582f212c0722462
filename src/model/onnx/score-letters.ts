import type { LetterScores } from "../model.ts";
import { stackCaches } from "./cache.ts";
import { logProbabilities } from "./log-softmax.ts";
import type { PrefixLeaf } from "./prefix-tree.ts";
import type { DecoderSession } from "./session.ts";
import { type PathMemory, type TreeUnit, visitTree } from "./walk-tree.ts";

/** Prompts of a part of the tree, and the token ids of A to E behind each of them. */
export interface ScoreUnit extends TreeUnit {
  readonly letterIds: ReadonlyMap<number, readonly number[]>;
}

/**
 * Scores every prompt of a unit. Each is read once, from where it parts from the others, and its
 * logits are taken at the last token alone.
 *
 * @param emit called with each item as soon as it is scored
 */
export async function scoreUnit(
  session: DecoderSession,
  unit: ScoreUnit,
  memory: PathMemory,
  emit: (item: number, scores: LetterScores) => void,
): Promise<void> {
  const { layout } = session.source.graph;
  await visitTree(session, unit, memory, async (leaves, above) => {
    for (const group of groupLeaves(leaves, layout.attention === "plain")) {
      const rows = group.map((leaf) => leaf.tokens);
      const cache = rows.length === 1 ? above : stackCaches(layout, Array(rows.length).fill(above));
      const { logits } = await session.run({ rows, cache, last: 1, keep: "nothing" });
      group.forEach(({ items }, row) => {
        const values = logits(row, 0);
        for (const item of items) emit(item, readLetters(values, unit.letterIds.get(item) ?? []));
      });
    }
  });
}

/** Log-probabilities of the letters over the full vocabulary, and their share of it. */
export function readLetters(logits: Float32Array, letterIds: readonly number[]): LetterScores {
  const logprobs = logProbabilities(logits, letterIds);
  return { logprobs, letterMass: logprobs.reduce((mass, value) => mass + Math.exp(value), 0) };
}

const MOST_ROWS = 5;
/** From this many tokens on a call keeps the processor busy with one row alone. */
const LONG_LEAF = 64;

/**
 * Short leaves of one node, such as the orders of one trace's choices, in calls of several rows.
 * Long ones, and all leaves of graphs that take one row on a cache, are called one by one.
 */
function groupLeaves(leaves: readonly PrefixLeaf[], together: boolean): PrefixLeaf[][] {
  const isShort = (leaf: PrefixLeaf) => together && leaf.tokens.length < LONG_LEAF;
  const groups = leaves.filter((leaf) => !isShort(leaf)).map((leaf) => [leaf]);
  const short = leaves.filter(isShort);
  for (let i = 0; i < short.length; i += MOST_ROWS) groups.push(short.slice(i, i + MOST_ROWS));
  return groups;
}
