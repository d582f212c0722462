import { OUTCOMES, type Outcome } from "../task/outcome.ts";
import type { Scheme } from "../task/scheme.ts";

/** Why a group of answers carries no signal. */
export const SKIP_REASONS = ["all_correct", "same_mistake", "equal_price"] as const;

/** See {@link SKIP_REASONS}. */
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Each answer's reward minus the group's mean; or why the group is skipped. */
export type GroupAdvantages =
  | { readonly advantages: readonly number[]; readonly skip: null }
  | { readonly advantages: null; readonly skip: SkipReason };

/**
 * The advantages of the answers to one prompt, from their outcomes. A group in which every answer
 * is paid alike carries no signal and is skipped: all correct, all the same mistake, or different
 * outcomes at one price. Outcomes and prices are compared, never computed floats.
 *
 * @throws RangeError for an empty group
 */
export function groupAdvantages(
  outcomes: readonly Outcome[],
  { prices }: Pick<Scheme, "prices">,
): GroupAdvantages {
  const [first] = outcomes;
  if (first === undefined) throw new RangeError("a group needs at least one answer");
  if (outcomes.every((outcome) => outcome === first)) {
    return { advantages: null, skip: first === "correct" ? "all_correct" : "same_mistake" };
  }
  if (outcomes.every((outcome) => prices[outcome] === prices[first])) {
    return { advantages: null, skip: "equal_price" };
  }
  const mean = meanPrice(outcomes, prices);
  return { advantages: outcomes.map((outcome) => prices[outcome] - mean), skip: null };
}

/** Summed outcome by outcome: a float sum depends on its order, and the order of samples must not matter. */
function meanPrice(outcomes: readonly Outcome[], prices: Scheme["prices"]): number {
  let sum = 0;
  for (const outcome of OUTCOMES) {
    sum += outcomes.filter((each) => each === outcome).length * prices[outcome];
  }
  return sum / outcomes.length;
}
