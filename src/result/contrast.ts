import { compareText } from "../core/hash.ts";
import { holm } from "../stats/holm.ts";
import { bootstrapArms, type PairEstimate } from "../stats/paired-bootstrap.ts";
import { detectableDifference } from "../stats/power.ts";
import { type Rate, rate } from "./rate.ts";

/** One trace's value in every arm: the share of its shared answers that count. */
export interface Unit {
  readonly id: string;
  readonly family: string;
  readonly values: readonly number[];
}

/** How a bootstrap was drawn: single traces, or whole families. */
export type Blocks = "traces" | "families";

/** An interval and p-value of one bootstrap. Null with fewer than two blocks to draw from. */
export interface Estimate {
  readonly low: number | null;
  readonly high: number | null;
  readonly p: number | null;
  /** No width: every resample gave the same difference, which is not certainty. */
  readonly degenerate: boolean;
}

/** Two arms compared: second minus first. `low`, `high` and `p` are those of the wider interval. */
export interface PairContrast extends Estimate {
  /** Positions of the arms. */
  readonly first: number;
  readonly second: number;
  readonly difference: number;
  /** Which bootstrap is the wider one. */
  readonly over: Blocks;
  /** `p` adjusted for all pairs of this measure (Holm). */
  readonly adjustedP: number | null;
  /** The true difference that would be noticed with 80% power; null where nothing varies. */
  readonly detectable: number | null;
  readonly byTraces: Estimate;
  readonly byFamilies: Estimate;
}

/** One measure compared across arms. */
export interface Contrast {
  readonly traces: number;
  readonly families: number;
  /** Per arm, over shared answers. */
  readonly rates: readonly Rate[];
  readonly pairs: readonly PairContrast[];
}

/** Options of {@link contrast}. */
export interface ContrastOptions {
  readonly seed: string;
  /** Default 10,000. */
  readonly resamples?: number | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Compares arms on the traces they share by paired bootstrap over traces and, because variants of
 * a family stand and fall together, over families. The wider interval of the two is the headline.
 *
 * @param counts per arm, answers that count and answers in all
 */
export function contrast(
  units: readonly Unit[],
  counts: readonly { readonly hits: number; readonly answers: number }[],
  { seed, resamples, onProgress }: ContrastOptions,
): Contrast {
  // The draw picks positions, so units stand in an order that no file decides.
  const sorted = [...units].sort((a, b) => compareText(a.id, b.id));
  const families = [...new Set(sorted.map(({ family }) => family))].sort(compareText);
  const numbers = new Map(families.map((family, number) => [family, number]));
  const clusters = sorted.map(({ family }) => numbers.get(family) ?? 0);
  const arms = counts.map((_, arm) => sorted.map(({ values }) => values[arm] ?? 0));
  const options = { seed, ...(resamples !== undefined && { resamples }) };
  const total = 2 * (resamples ?? 10_000);
  const byTraces = bootstrapArms(arms, {
    ...options,
    ...(onProgress && { onProgress: (done: number) => onProgress(done, total) }),
  }).pairs;
  const byFamilies = bootstrapArms(arms, {
    ...options,
    clusters,
    ...(onProgress && { onProgress: (done: number) => onProgress(total / 2 + done, total) }),
  }).pairs;
  const pairs = byTraces.map((pair, at) => {
    const differences = sorted.map(
      ({ values }) => (values[pair.second] ?? 0) - (values[pair.first] ?? 0),
    );
    return headline(pair, byFamilies[at] ?? pair, detectable(differences, clusters));
  });
  return {
    traces: sorted.length,
    families: families.length,
    rates: counts.map(({ hits, answers }) => rate(hits, answers)),
    pairs: adjust(pairs),
  };
}

function headline(
  byTraces: PairEstimate,
  byFamilies: PairEstimate,
  detectable: number | null,
): Omit<PairContrast, "adjustedP"> {
  const over = width(byFamilies) > width(byTraces) ? "families" : "traces";
  const { first, second, difference } = byTraces;
  const estimates = { byTraces: estimateOf(byTraces), byFamilies: estimateOf(byFamilies) };
  const chosen = over === "families" ? estimates.byFamilies : estimates.byTraces;
  return { first, second, difference, over, detectable, ...chosen, ...estimates };
}

function estimateOf({ low, high, p, degenerate }: PairEstimate): Estimate {
  return { low, high, p, degenerate };
}

function width({ low, high }: PairEstimate): number {
  return (high ?? 0) - (low ?? 0);
}

function adjust(pairs: readonly Omit<PairContrast, "adjustedP">[]): PairContrast[] {
  const tested = pairs.filter(({ p }) => p !== null);
  const adjusted = holm(tested.map(({ p }) => p ?? 1));
  return pairs.map((pair) => ({ ...pair, adjustedP: adjusted[tested.indexOf(pair)] ?? null }));
}

/** The larger of what single traces and whole families can show. */
function detectable(differences: readonly number[], clusters: readonly number[]): number | null {
  const sums = new Map<number, { sum: number; count: number }>();
  differences.forEach((difference, at) => {
    const family = clusters[at] ?? 0;
    const { sum, count } = sums.get(family) ?? { sum: 0, count: 0 };
    sums.set(family, { sum: sum + difference, count: count + 1 });
  });
  const means = [...sums.values()].map(({ sum, count }) => sum / count);
  const found = [detectableDifference(differences), detectableDifference(means)];
  // Differences that are all alike have no spread to tell it from; 0 would promise too much.
  const known = found.filter((value) => value !== null && value > 0) as number[];
  return known.length === 0 ? null : Math.max(...known);
}
