import { requireWithin } from "./check.ts";

/**
 * Holm's step-down adjustment for several tests at once, in input order: the i-th smallest of m
 * p-values times m - i + 1, never below an earlier one, at most 1.
 * (Holm 1979, Scandinavian Journal of Statistics 6:65-70.)
 *
 * @throws SteerError `usage` for a p outside [0, 1] or NaN
 */
export function holm(pValues: readonly number[]): number[] {
  requireWithin("p", pValues, 0, 1);
  const order = pValues.map((_, at) => at).sort((i, j) => at(pValues, i) - at(pValues, j));
  const adjusted = new Array<number>(pValues.length);
  let least = 0;
  order.forEach((position, rank) => {
    least = Math.max(least, Math.min(1, at(pValues, position) * (pValues.length - rank)));
    adjusted[position] = least;
  });
  return adjusted;
}

function at(values: readonly number[], position: number): number {
  return values[position] as number;
}
