import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { pay, type Scheme } from "./scheme.ts";

/** A probability for each label. */
export type LabelProbabilities = Readonly<Record<Label, number>>;

/**
 * What each label would pay on average if the probabilities were right: the sum over gold labels
 * of their probability times what the scheme pays.
 */
export function expectedRewards(
  scheme: Scheme,
  probabilities: LabelProbabilities,
): Record<Label, number> {
  return byLabel((answer) => sum(expectedParts(scheme, probabilities, answer)));
}

/** The label with the highest expected reward; null when several share it. */
export function bestChoice(scheme: Scheme, probabilities: LabelProbabilities): Label | null {
  // Added up by size: labels that earn the same parts in another order must tie to the last bit.
  return pickHighest(
    byLabel((answer) =>
      sum(expectedParts(scheme, probabilities, answer).sort((first, second) => first - second)),
    ),
  );
}

/** What naming `answer` earns from each gold label, in label order. */
function expectedParts(scheme: Scheme, probabilities: LabelProbabilities, answer: Label): number[] {
  return LABELS.map((gold) => probabilities[gold] * pay(scheme, gold, answer));
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}

/** The label with the highest value; null for an exact tie at the top, so that label order never decides. */
export function pickHighest(values: Readonly<Record<Label, number>>): Label | null {
  const best = Math.max(...LABELS.map((label) => values[label]));
  const [first, ...others] = LABELS.filter((label) => values[label] === best);
  return first === undefined || others.length > 0 ? null : first;
}

/**
 * The probability of ACT, against one rival label, from which acting pays at least as much as
 * naming the rival: 0.5 under symmetric prices, 8/13 under asymmetric ones.
 */
export function breakEven({ prices }: Scheme): number {
  const gainWhenRight = prices.correct - prices.missed_act;
  const lossWhenWrong = prices.correct - prices.premature_act;
  return lossWhenWrong / (gainWhenRight + lossWhenWrong);
}
