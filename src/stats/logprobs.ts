import { SteerError } from "../core/errors.ts";
import { requireWhole } from "./check.ts";

/** Which of several scores is picked: a position, or null with `ties` 1 for an exact tie at the top. */
export interface Pick {
  readonly pick: number | null;
  /** 1 when the highest score is shared, else 0: adds up over items to the number of ties. */
  readonly ties: 0 | 1;
}

/**
 * The position of the highest log-probability. An exact tie at the top is no pick, so that the
 * order of the choices never decides. Without a distribution (a NaN, a +Infinity, no finite score)
 * there is no pick either, and no tie.
 */
export function pick(logprobs: readonly number[]): Pick {
  const highest = logprobs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(highest)) return { pick: null, ties: 0 };
  const first = logprobs.indexOf(highest);
  const isTie = logprobs.lastIndexOf(highest) !== first;
  return isTie ? { pick: null, ties: 1 } : { pick: first, ties: 0 };
}

/**
 * The log-probability of a label of several tokens: the sum over the positions that predict them.
 *
 * @param positionLogprobs log-probability of the token that follows, at each position
 * @param first the position that predicts the label's first token
 * @param count tokens of the label, at least 1
 * @throws SteerError `usage` when the label's positions do not lie within the list
 */
export function sumLabelLogprob(
  positionLogprobs: readonly number[],
  first: number,
  count: number,
): number {
  requireWhole("count", count, 1);
  requireWhole("first", first, 0);
  if (first + count > positionLogprobs.length) {
    throw new SteerError(
      "usage",
      `a label at positions ${first} to ${first + count - 1} does not fit ${positionLogprobs.length} positions`,
    );
  }
  return positionLogprobs.slice(first, first + count).reduce((sum, value) => sum + value, 0);
}

/** How the scores of labels of several lengths are compared: whole, or per token. */
export type LengthRule = "sum" | "mean";

/** A label's summed log-probability and its length in tokens. */
export interface LabelScore {
  readonly sum: number;
  readonly tokens: number;
}

/** A pick among labels, with the rule that made it. */
export interface LabelPick<L extends string> {
  readonly rule: LengthRule;
  readonly pick: L | null;
  readonly ties: 0 | 1;
  /** What was compared. */
  readonly scores: Readonly<Record<L, number>>;
}

/** Picks the label with the highest sum, which favours short labels. */
export function pickBySum<L extends string>(labels: Readonly<Record<L, LabelScore>>): LabelPick<L> {
  return pickBy("sum", labels, ({ sum }) => sum);
}

/**
 * Picks the label with the highest mean per token, which favours long labels.
 *
 * @throws SteerError `usage` for a label without tokens
 */
export function pickByMean<L extends string>(
  labels: Readonly<Record<L, LabelScore>>,
): LabelPick<L> {
  return pickBy("mean", labels, ({ sum, tokens }, label) => {
    requireWhole(`tokens of ${label}`, tokens, 1);
    return sum / tokens;
  });
}

function pickBy<L extends string>(
  rule: LengthRule,
  labels: Readonly<Record<L, LabelScore>>,
  scoreOf: (score: LabelScore, label: L) => number,
): LabelPick<L> {
  const names = Object.keys(labels) as L[];
  const scores = names.map((label) => scoreOf(labels[label], label));
  const { pick: at, ties } = pick(scores);
  return {
    rule,
    pick: at === null ? null : (names[at] as L),
    ties,
    scores: Object.fromEntries(names.map((label, k) => [label, scores[k]])) as Record<L, number>,
  };
}

const LEADING_WHITE_SPACE = /^[ \t\n\v\f\r]+/;

/**
 * The probability of each letter in a provider's list of likely tokens. Entries that differ from
 * a letter by white space (ASCII) in front are variants of it and add up, and so do repeated
 * entries; anything else, look-alikes and lower case included, is left out. A letter that no entry
 * names stays undefined: its probability is unknown, not 0.
 *
 * @param top pairs of token text and probability
 */
export function mergeVariants<L extends string>(
  top: readonly (readonly [token: string, probability: number])[],
  letters: readonly L[],
): Partial<Record<L, number>> {
  const merged: Partial<Record<L, number>> = {};
  for (const letter of letters) {
    const variants = top.filter(([token]) => token.replace(LEADING_WHITE_SPACE, "") === letter);
    if (variants.length === 0) continue;
    let sum = 0;
    for (const [, probability] of variants) sum += probability;
    merged[letter] = sum;
  }
  return merged;
}
