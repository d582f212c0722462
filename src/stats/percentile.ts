/** A percentile interval; both ends null when there is no spread to report (fewer than two blocks). */
export interface BootstrapInterval {
  readonly low: number | null;
  readonly high: number | null;
  /** The interval has no width, so it must not be read as certainty. */
  readonly degenerate: boolean;
}

/**
 * The value below which a share `q` (0 to 1) of an ascending list lies, interpolated linearly
 * between neighbours (type 7 of Hyndman and Fan 1996, the default of NumPy and R).
 * NaN for an empty list.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[below + 1] ?? low;
  // In this form two equal neighbours give exactly their value.
  return low + (high - low) * (position - below);
}

/**
 * The central interval that holds a share `level` of the resampled values.
 *
 * @param blocks how many units or clusters were drawn from
 * @param resolution a width up to this is no width: the rounding of the values
 */
export function percentileInterval(
  values: Float64Array,
  {
    level,
    resolution,
    blocks,
  }: { readonly level: number; readonly resolution: number; readonly blocks: number },
): BootstrapInterval {
  if (blocks < 2) return { low: null, high: null, degenerate: false };
  const tail = (1 - level) / 2;
  const sorted = values.toSorted();
  const low = quantileOfSorted(sorted, tail);
  const high = quantileOfSorted(sorted, 1 - tail);
  return { low, high, degenerate: high - low <= resolution };
}

/**
 * The two-sided p of no difference, from the differences d of B resamples:
 * min(1, 2 (1 + min(#{d <= 0}, #{d >= 0})) / (1 + B)). It turns the percentile interval into a test
 * and counts the observed data as one more resample (Davison and Hinkley 1997, sections 4.2 and
 * 5.2), so it is never 0.
 *
 * @param resolution differences up to this size count as none: the rounding of the values
 */
export function twoSidedP(differences: Float64Array, resolution: number): number {
  let atMostZero = 0;
  let atLeastZero = 0;
  for (const d of differences) {
    if (d <= resolution) atMostZero++;
    if (d >= -resolution) atLeastZero++;
  }
  const rarer = Math.min(atMostZero, atLeastZero);
  return Math.min(1, (2 * (1 + rarer)) / (1 + differences.length));
}
