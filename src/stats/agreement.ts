import { requireInnerShare, requireSameLength, requireWhole } from "./check.ts";
import { type BootstrapInterval, percentileInterval } from "./percentile.ts";
import { resample } from "./resample.ts";

/** The labels one unit got, one place per rater; null where a rater gave none. */
export type Ratings = readonly (string | null)[];

/** The share of units on which two raters agree. */
export interface RawAgreement {
  readonly agreed: number;
  readonly counted: number;
  /** Null when nothing was counted. */
  readonly share: number | null;
}

/**
 * The share of units to which two raters gave one label.
 *
 * @throws SteerError `mismatch` for lists of unequal length
 */
export function rawAgreement(a: readonly string[], b: readonly string[]): RawAgreement {
  requireSameLength("a", a, "b", b);
  const agreed = a.filter((label, unit) => label === b[unit]).length;
  return { agreed, counted: a.length, share: a.length === 0 ? null : agreed / a.length };
}

/**
 * Cohen's kappa of two raters: (po - pe) / (1 - pe), where po is the share of units they agree on
 * and pe the share expected if each kept their own label shares and ignored the unit (Cohen 1960,
 * Educational and Psychological Measurement 20:37-46). -1 to 1; null for no units, or when both
 * gave one and the same label throughout.
 *
 * @throws SteerError `mismatch` for lists of unequal length
 */
export function cohenKappa(a: readonly string[], b: readonly string[]): number | null {
  const { agreed, counted: n } = rawAgreement(a, b);
  const ofA = countLabels(a);
  const ofB = countLabels(b);
  let chance = 0; // pe times n squared, a whole number
  for (const [label, count] of ofA) chance += count * (ofB.get(label) ?? 0);
  return chance === n * n ? null : (agreed * n - chance) / (n * n - chance);
}

/** Krippendorff's alpha with a percentile bootstrap interval over units. */
export interface AlphaEstimate extends BootstrapInterval {
  /** 1 = perfect, 0 = chance; null when no two ratings can be paired or all are one label. */
  readonly alpha: number | null;
  /** Units with at least two ratings; the others cannot be paired and do not count. */
  readonly units: number;
  /** Resamples of one label throughout, which have no alpha and stay out of the interval. */
  readonly undefinedResamples: number;
}

/**
 * Krippendorff's alpha for nominal labels, any number of raters, missing ratings allowed:
 * 1 - (n - 1) * D / sum over label pairs c != k of n_c * n_k, where D adds up, over units,
 * (pairs of unequal ratings) / (ratings of the unit - 1), n_c counts the paired ratings of label c
 * and n all of them (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C).
 * The interval resamples whole units.
 *
 * @throws SteerError `usage` for options out of range
 */
export function krippendorffAlpha(
  units: readonly Ratings[],
  {
    seed,
    resamples = 10_000,
    level = 0.95,
  }: {
    readonly seed: number | string;
    readonly resamples?: number;
    readonly level?: number;
  },
): AlphaEstimate {
  requireWhole("resamples", resamples, 1);
  requireInnerShare("level", level);
  const counts = units
    .map((ratings) => countLabels(ratings.filter((label) => label !== null)))
    .filter((labels) => sum(labels.values()) >= 2);
  const series = alphaSeries(counts);
  const whole = alphaOf(series.map((values) => sum(values)));
  const blocks = { totals: series, sizes: new Float64Array(counts.length).fill(1) };
  const drawn = resample(blocks, { seed, from: 0, to: resamples });
  const alphas = Array.from({ length: resamples }, (_, i) =>
    alphaOf(drawn.totals.map((totals) => totals[i] as number)),
  ).filter((alpha) => alpha !== null);
  const interval =
    alphas.length === 0
      ? { low: null, high: null, degenerate: false }
      : percentileInterval(Float64Array.from(alphas), {
          level,
          resolution: 0,
          blocks: counts.length,
        });
  return {
    alpha: whole,
    ...interval,
    units: counts.length,
    undefinedResamples: resamples - alphas.length,
  };
}

/** Per unit: its disagreement (D above), then its ratings of each label. Totals of these give alpha. */
function alphaSeries(units: readonly ReadonlyMap<string, number>[]): Float64Array[] {
  const labels = [...new Set(units.flatMap((unit) => [...unit.keys()]))].sort();
  const disagreement = units.map((unit) => {
    const n = sum(unit.values());
    return (n * n - sum([...unit.values()].map((count) => count * count))) / (n - 1);
  });
  return [
    Float64Array.from(disagreement),
    ...labels.map((label) => Float64Array.from(units, (unit) => unit.get(label) ?? 0)),
  ];
}

function alphaOf([disagreement = 0, ...perLabel]: readonly number[]): number | null {
  const n = sum(perLabel);
  const expected = n * n - sum(perLabel.map((count) => count * count));
  return expected === 0 ? null : 1 - ((n - 1) * disagreement) / expected;
}

function countLabels(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
