import type { Label } from "../core/intervention.ts";
import { LETTERS, lettersAt } from "../task/letters.ts";
import { classify } from "../task/outcome.ts";
import type { ChoiceExample } from "./examples.ts";
import { countOutcomes, type StepFigures } from "./metrics-row.ts";

/**
 * What became of the letters' picks, as in the decision readout: the likeliest letter, and none
 * where two are equally likely.
 *
 * @param logits five for each example
 */
export function picksOf(
  examples: readonly ChoiceExample[],
  logits: Float32Array,
): Pick<StepFigures, "outcomes" | "readableShare"> {
  const picks = examples.map(({ offset }, at) =>
    pick(logits.subarray(at * LETTERS.length, (at + 1) * LETTERS.length), offset),
  );
  const outcomes = examples.map(({ gold }, at) => classify(gold, picks[at] ?? null));
  const read = picks.filter((label) => label !== null).length;
  return { outcomes: countOutcomes(outcomes), readableShare: read / examples.length };
}

function pick(logits: Float32Array, offset: number): Label | null {
  const highest = Math.max(...logits);
  const at = logits.indexOf(highest);
  return at === logits.lastIndexOf(highest) ? (lettersAt(offset)[at] ?? null) : null;
}
