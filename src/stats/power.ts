import { requireFinite } from "./check.ts";
import { normalQuantile, twoSidedZ } from "./normal.ts";

/** Chance with which the detectable difference would be noticed. */
export const POWER = 0.8;

/** Two-sided level of the test that would notice it. */
export const TEST_LEVEL = 0.05;

/**
 * The smallest true mean of paired differences that a two-sided test at level 0.05 would notice
 * with 80% power: (z(0.975) + z(0.8)) * sd / sqrt(n), about 2.80 standard errors, where sd is the
 * sample standard deviation (n - 1) of the differences. (The normal approximation of any textbook
 * on sample sizes, such as Cohen 1988, chapter 2.)
 * Traces of one family are alike: where they are compared by family, pass each family's mean
 * difference, or the result promises too much.
 *
 * @returns 0 when all differences are equal; null for fewer than two of them
 * @throws SteerError `usage` for a difference that is not finite
 */
export function detectableDifference(differences: readonly number[]): number | null {
  requireFinite("differences", differences);
  const sd = sampleDeviation(differences);
  if (sd === null) return null;
  const z = twoSidedZ(1 - TEST_LEVEL) + normalQuantile(POWER);
  return (z * sd) / Math.sqrt(differences.length);
}

/** Standard deviation with n - 1; null for fewer than two values. */
export function sampleDeviation(values: readonly number[]): number | null {
  const n = values.length;
  if (n < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
}
