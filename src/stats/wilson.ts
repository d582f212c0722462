import { requireWhole } from "./check.ts";
import { twoSidedZ } from "./normal.ts";

/** A closed interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The Wilson score interval of a share: `k` of `n`, at a two-sided confidence level.
 * (Wilson 1927, JASA 22:209-212: the shares that a normal test would not reject.)
 *
 * @returns ends within [0, 1], exactly 0 for k = 0 and exactly 1 for k = n; null when nothing was
 *   observed (n = 0), which tables show as n/a
 * @throws SteerError `usage` unless 0 <= k <= n are whole numbers and 0 < level < 1
 */
export function wilson(k: number, n: number, level = 0.95): Interval | null {
  requireWhole("n", n, 0);
  requireWhole("k", k, 0, n);
  const z = twoSidedZ(level);
  if (n === 0) return null;
  const share = k / n;
  const shrink = 1 + (z * z) / n;
  const centre = (share + (z * z) / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((share * (1 - share) + (z * z) / (4 * n)) / n);
  // Float residue would push the ends of 0 and n just outside [0, 1].
  return {
    low: k === 0 ? 0 : Math.max(0, centre - half),
    high: k === n ? 1 : Math.min(1, centre + half),
  };
}
