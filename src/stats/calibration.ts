import { requireDistribution, requireSameLength, requireWhole, requireWithin } from "./check.ts";
import { type Binning, type ReliabilityBin, reliabilityTable } from "./reliability.ts";

/** The expected calibration error and the table behind it. */
export interface Calibration {
  /** 0 (confidence matches accuracy in every bin) to 1; null when nothing was counted. */
  readonly ece: number | null;
  /** Items counted: all of them. */
  readonly counted: number;
  readonly bins: readonly ReliabilityBin[];
}

/**
 * Expected calibration error: the gap between mean confidence and accuracy of each bin, averaged
 * with the bin's share of the items as weight (Guo et al. 2017, "On Calibration of Modern Neural
 * Networks", eq. 3).
 *
 * `equal_width`: bin b of B holds the confidences above b/B up to and including (b+1)/B; 0 belongs
 * to the first bin. `equal_mass`: the items in ascending order, cut into B parts whose sizes differ
 * by at most one, then equal confidences moved into the bin of the first of them, so that the order
 * of items never matters; bins left empty are not listed.
 *
 * @param p confidence of each item's pick, 0 to 1
 * @param right 1 when that pick is right, else 0
 * @throws SteerError `usage` for NaN or a value out of range, `mismatch` for unequal lengths
 */
export function ece({
  p,
  right,
  bins,
  binning,
}: {
  readonly p: readonly number[];
  readonly right: readonly number[];
  readonly bins: number;
  readonly binning: Binning;
}): Calibration {
  requireWhole("bins", bins, 1);
  requireSameLength("p", p, "right", right);
  requireWithin("p", p, 0, 1);
  right.forEach((value, at) => {
    requireWhole(`right[${at}]`, value, 0, 1);
  });
  // Adding up in ascending order makes the sums, too, independent of the order of items.
  const items = p
    .map((value, at) => ({ p: value, right: right[at] as number }))
    .sort((a, b) => a.p - b.p);
  const table = reliabilityTable(items, bins, binning);
  const gaps = table.reduce((sum, { count, confidence, accuracy }) => {
    return sum + count * Math.abs((accuracy ?? 0) - (confidence ?? 0));
  }, 0);
  return {
    ece: items.length === 0 ? null : gaps / items.length,
    counted: items.length,
    bins: table,
  };
}

/**
 * Probabilities proportional to the exponentials of natural-log scores, with the highest score
 * subtracted first so that none overflows. A score of -Infinity gets probability 0. Where no
 * distribution follows (a NaN, a +Infinity, or every score -Infinity) every entry is NaN.
 */
export function softmax(logprobs: readonly number[]): number[] {
  const highest = logprobs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const weights = logprobs.map((value) => Math.exp(value - highest));
  const total = sumAscending(weights);
  return weights.map((weight) => weight / total);
}

/**
 * Entropy of a distribution in nats, 0 (certain) to ln K (uniform over K).
 *
 * @throws SteerError `usage` unless the probabilities are valid and sum to 1
 */
export function entropy(probabilities: readonly number[]): number {
  requireDistribution("probabilities", probabilities);
  return probabilities.reduce((sum, p) => (p === 0 ? sum : sum - p * Math.log(p)), 0);
}

/**
 * Multiclass Brier score: the squared distance between the probabilities and the gold label's
 * one-hot vector, averaged over items; 0 (perfect) to 2 (Brier 1950). Null for no items.
 *
 * @param probabilities one distribution per item
 * @param gold position of each item's right label
 * @throws SteerError `usage` or `mismatch` for invalid distributions or positions
 */
export function brier(
  probabilities: readonly (readonly number[])[],
  gold: readonly number[],
): number | null {
  requireSameLength("probabilities", probabilities, "gold", gold);
  if (gold.length === 0) return null;
  const distances = probabilities.map((item, at) => {
    requireDistribution(`probabilities[${at}]`, item);
    requireWhole(`gold[${at}]`, gold[at] as number, 0, item.length - 1);
    return item.reduce((sum, p, k) => sum + (p - (k === gold[at] ? 1 : 0)) ** 2, 0);
  });
  return sumAscending(distances) / gold.length;
}

/** Mean negative log-likelihood and how many items make it infinite. */
export interface LogLoss {
  /** In nats; Infinity as soon as one gold label had probability 0; null for no items. */
  readonly mean: number | null;
  /** Items whose gold label had probability 0. */
  readonly infinite: number;
  /** Mean over the other items; null when there is none. */
  readonly finiteMean: number | null;
}

/**
 * Mean negative log-likelihood of the gold labels, in nats.
 *
 * @param goldLogs natural logarithm of the probability that each item gave its gold label; logarithms,
 *   because a probability too small for a double is not 0
 * @throws SteerError `usage` for NaN or a value above 0
 */
export function negativeLogLikelihood(goldLogs: readonly number[]): LogLoss {
  requireWithin("goldLogs", goldLogs, Number.NEGATIVE_INFINITY, 0);
  const losses = goldLogs.filter(Number.isFinite).map(Math.abs);
  const finiteMean = losses.length === 0 ? null : sumAscending(losses) / losses.length;
  const infinite = goldLogs.length - losses.length;
  return { mean: infinite > 0 ? Number.POSITIVE_INFINITY : finiteMean, infinite, finiteMean };
}

/** In ascending order, so that the order of the values cannot change the last digit. */
function sumAscending(values: readonly number[]): number {
  return Float64Array.from(values)
    .sort()
    .reduce((sum, value) => sum + value, 0);
}
