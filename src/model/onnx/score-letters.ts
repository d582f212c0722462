import type { LetterScores } from "../model.ts";
import { logProbabilities } from "./log-softmax.ts";
import type { DecoderSession } from "./session.ts";
import { type PathMemory, type TreeUnit, visitTree } from "./walk-tree.ts";

/** Prompts of a part of the tree, and the token ids of A to E behind each of them. */
export interface ScoreUnit extends TreeUnit {
  readonly letterIds: ReadonlyMap<number, readonly number[]>;
}

/**
 * Scores every prompt of a unit. Each is read once, from where it parts from the others, and its
 * logits are taken at the last token alone. One row a call: several short rows in one call took as
 * long as one after another (measured with five orders of the choices of one trace).
 *
 * @param emit called with each item as soon as it is scored
 */
export async function scoreUnit(
  session: DecoderSession,
  unit: ScoreUnit,
  memory: PathMemory,
  emit: (item: number, scores: LetterScores) => void,
): Promise<void> {
  await visitTree(session, unit, memory, async (leaves, cache) => {
    for (const { tokens, items } of leaves) {
      const { logits } = await session.run({ rows: [tokens], cache, last: 1, keep: "nothing" });
      const values = logits(0, 0);
      for (const item of items) emit(item, readLetters(values, unit.letterIds.get(item) ?? []));
    }
  });
}

/** Log-probabilities of the letters over the full vocabulary, and their share of it. */
function readLetters(logits: Float32Array, letterIds: readonly number[]): LetterScores {
  const logprobs = logProbabilities(logits, letterIds);
  return { logprobs, letterMass: logprobs.reduce((mass, value) => mass + Math.exp(value), 0) };
}
