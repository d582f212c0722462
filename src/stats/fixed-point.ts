import { SteerError } from "../core/errors.ts";

/** Numbers as whole multiples of 1 / `scale`. */
export interface FixedPoint {
  readonly series: readonly Float64Array[];
  /** A power of ten. */
  readonly scale: number;
}

/** Half of the largest whole number that doubles count up to: a difference of two totals fits too. */
const LARGEST_TOTAL = 2 ** 52;

/**
 * Rounds finite numbers to as many decimals as let `mostTerms` of them be added without rounding:
 * 12 decimals for 500 numbers up to 1. Such totals do not depend on the order of their terms, and
 * ten rewards of -0.1 weigh exactly as much as one of -1, which float sums do not promise.
 *
 * @throws SteerError `usage` when not even whole numbers could be added exactly
 */
export function toFixedPoint(
  series: readonly (readonly number[])[],
  mostTerms: number,
): FixedPoint {
  let largest = 1;
  for (const values of series) {
    for (const value of values) largest = Math.max(largest, Math.abs(value));
  }
  const decimals = Math.floor(Math.log10(LARGEST_TOTAL / (largest * mostTerms)));
  if (decimals < 0) {
    throw new SteerError(
      "usage",
      `values up to ${largest} are too large to add ${mostTerms} of them exactly; use a larger unit`,
    );
  }
  const scale = Number(`1e${decimals}`);
  return {
    series: series.map((values) => Float64Array.from(values, (value) => Math.round(value * scale))),
    scale,
  };
}
