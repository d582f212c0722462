import { type BootstrapOptions, bootstrapArms } from "./paired-bootstrap.ts";
import type { BootstrapInterval } from "./percentile.ts";

/** A mean with its percentile bootstrap interval; the mean is null when there are no values. */
export interface MeanEstimate extends BootstrapInterval {
  readonly mean: number | null;
}

/**
 * The mean of some values with a percentile bootstrap interval (resamples as large as the data,
 * drawn with replacement). One value has no spread to report, so its interval is null; values that
 * are all equal give an interval of no width, which is flagged.
 *
 * @throws SteerError `usage` for values that are not finite or options out of range
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions): MeanEstimate {
  if (values.length === 0) return { mean: null, low: null, high: null, degenerate: false };
  const { arms } = bootstrapArms([values], options);
  return arms[0] as MeanEstimate;
}
