import { SteerError } from "../core/errors.ts";
import { requireFinite, requireInnerShare, requireSameLength, requireWhole } from "./check.ts";
import { toFixedPoint } from "./fixed-point.ts";
import { joinById, type Measured } from "./join.ts";
import { type BootstrapInterval, percentileInterval, twoSidedP } from "./percentile.ts";
import { type Blocks, clusterBlocks, type Resampled, resample, unitBlocks } from "./resample.ts";

/** How to resample. */
export interface BootstrapOptions {
  readonly seed: number | string;
  /** Default 10,000. */
  readonly resamples?: number;
  /** Two-sided confidence level. Default 0.95. */
  readonly level?: number;
  /** Called every hundred resamples. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** One arm's mean over all units. */
export interface ArmEstimate extends BootstrapInterval {
  readonly mean: number;
}

/** Two arms compared on the same draws. */
export interface PairEstimate extends BootstrapInterval {
  /** Positions of the two arms. */
  readonly first: number;
  readonly second: number;
  /** Mean of the second arm minus mean of the first. */
  readonly difference: number;
  /** Two-sided p of no difference, above 0; null without an interval. See {@link bootstrapArms}. */
  readonly p: number | null;
}

/** All arms, and all pairs (first < second) in the order 0-1, 0-2, …, 1-2, … */
export interface ArmsEstimate {
  readonly arms: readonly ArmEstimate[];
  readonly pairs: readonly PairEstimate[];
  /** What was drawn with replacement: units, or clusters. */
  readonly blocks: number;
}

/**
 * Means of arms measured on the same units, and the difference of every pair, with percentile
 * bootstrap intervals. One draw of units per resample serves all arms and pairs. With `clusters`
 * (a number per unit) whole clusters are drawn, and a resample's mean is over the units drawn.
 *
 * With d the differences in the B resamples, p = min(1, 2 (1 + min(#{d <= 0}, #{d >= 0})) / (1 + B)):
 * the percentile interval turned into a test, counting the observed data as one more resample
 * (Davison and Hinkley 1997, sections 4.2 and 5.2), so p is never 0.
 *
 * Units must come in an order that carries no meaning and does not change, such as by id:
 * the draw picks positions.
 *
 * @param arms one list per arm, aligned on the units
 * @throws SteerError `usage` or `mismatch` for empty or unequal arms, values that are not finite,
 *   or options out of range
 */
export function bootstrapArms(
  arms: readonly (readonly number[])[],
  {
    clusters,
    resamples = 10_000,
    level = 0.95,
    seed,
    onProgress,
  }: BootstrapOptions & { readonly clusters?: readonly number[] | undefined },
): ArmsEstimate {
  requireWhole("resamples", resamples, 1);
  requireInnerShare("level", level);
  requireArms(arms, clusters);
  const { series, scale } = toFixedPoint(arms, mostUnits(arms, clusters));
  const blocks = clusters ? clusterBlocks(series, clusters) : unitBlocks(series);
  const whole = wholeSample(blocks);
  const drawn = resample(blocks, { seed, from: 0, to: resamples, onProgress });
  const resolution = 1 / scale;
  const interval = (values: Float64Array) =>
    percentileInterval(values, { level, resolution, blocks: blocks.sizes.length });
  const numbers = arms.map((_, arm) => arm);
  return {
    arms: numbers.map((arm) => ({
      mean: mean(whole, scale, arm)[0] as number,
      ...interval(mean(drawn, scale, arm)),
    })),
    pairs: numbers.flatMap((first) =>
      numbers.slice(first + 1).map((second) => {
        const differences = difference(drawn, scale, first, second);
        return {
          first,
          second,
          difference: difference(whole, scale, first, second)[0] as number,
          p: blocks.sizes.length < 2 ? null : twoSidedP(differences, resolution),
          ...interval(differences),
        };
      }),
    ),
    blocks: blocks.sizes.length,
  };
}

/** Two arms compared on the ids they share. */
export interface PairedEstimate extends Omit<PairEstimate, "first" | "second"> {
  /** Ids that both arms measured. */
  readonly shared: number;
  /** Ids that one arm alone measured, left out of the comparison. */
  readonly onlyA: number;
  readonly onlyB: number;
}

/**
 * The mean of `b` minus the mean of `a` over shared ids, by paired bootstrap. Rows are joined by
 * id, so their order does not matter.
 *
 * @throws SteerError `duplicate` for an id that an arm holds twice, `mismatch` when no id is shared
 */
export function pairedBootstrap(
  { a, b }: { readonly a: readonly Measured[]; readonly b: readonly Measured[] },
  options: BootstrapOptions,
): PairedEstimate {
  const { ids, arms } = joinById([a, b]);
  const shared = ids.length;
  if (shared === 0) {
    throw new SteerError("mismatch", "the two arms share no id; compare runs of one scenario set");
  }
  const { first, second, ...estimate } = bootstrapArms(arms, options).pairs[0] as PairEstimate;
  return { ...estimate, shared, onlyA: a.length - shared, onlyB: b.length - shared };
}

/** All units once, in the shape of one resample. */
function wholeSample({ totals, sizes }: Blocks): Resampled {
  const sum = (values: Float64Array) => Float64Array.of(values.reduce((a, b) => a + b, 0));
  return { totals: totals.map(sum), sizes: sum(sizes) };
}

function mean({ totals, sizes }: Resampled, scale: number, arm: number): Float64Array {
  return (totals[arm] as Float64Array).map((total, i) => total / ((sizes[i] as number) * scale));
}

function difference(
  { totals, sizes }: Resampled,
  scale: number,
  first: number,
  second: number,
): Float64Array {
  const base = totals[first] as Float64Array;
  return (totals[second] as Float64Array).map(
    (total, i) => (total - (base[i] as number)) / ((sizes[i] as number) * scale),
  );
}

/** The most units that a resample can hold: the largest cluster drawn every time. */
function mostUnits(
  arms: readonly (readonly number[])[],
  clusters: readonly number[] | undefined,
): number {
  if (!clusters) return arms[0]?.length ?? 0;
  const sizes = new Map<number, number>();
  for (const number of clusters) sizes.set(number, (sizes.get(number) ?? 0) + 1);
  return sizes.size * [...sizes.values()].reduce((a, b) => Math.max(a, b), 0);
}

function requireArms(
  arms: readonly (readonly number[])[],
  clusters: readonly number[] | undefined,
): void {
  const [first] = arms;
  if (!first?.length) {
    throw new SteerError("usage", "a bootstrap needs at least one arm with at least one unit");
  }
  arms.forEach((values, arm) => {
    requireSameLength("arm 0", first, `arm ${arm}`, values);
    requireFinite(`arm ${arm}`, values);
  });
  if (clusters) {
    requireSameLength("arm 0", first, "clusters", clusters);
    requireFinite("clusters", clusters);
  }
}
