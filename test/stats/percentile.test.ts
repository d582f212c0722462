import { expect, test } from "vitest";
import { percentileInterval, quantileOfSorted, twoSidedP } from "../../src/stats/percentile.ts";

test("interpolates quantiles linearly, like numpy.quantile", () => {
  // numpy.quantile([1, 2, 4, 8, 16], q), NumPy 2.
  for (const [q, value] of [
    [0, 1],
    [0.025, 1.1],
    [0.1, 1.4],
    [0.5, 4],
    [0.9, 12.8],
    [0.975, 15.2],
    [1, 16],
  ] as const) {
    expect(quantileOfSorted([1, 2, 4, 8, 16], q), `q = ${q}`).toBeCloseTo(value, 12);
  }
  expect(quantileOfSorted([0.1, 0.1], 0.3)).toBe(0.1);
  expect(quantileOfSorted([], 0.5)).toBeNaN();
});

test("leaves the values as they were and sorts by size, not as text", () => {
  const values = Float64Array.of(10, 9, -1, 100);
  const options = { level: 0.5, resolution: 0, blocks: 4 };
  expect(percentileInterval(values, options)).toEqual({ low: 6.5, high: 32.5, degenerate: false });
  expect([...values]).toEqual([10, 9, -1, 100]);
});

test("the p-value follows its formula, is never 0 and at most 1", () => {
  const d = (...values: number[]) => Float64Array.from(values);
  expect(twoSidedP(d(1, 2, 3), 0)).toBe(0.5); // 2 * (1 + 0) / 4
  expect(twoSidedP(d(-1, 1, 2, 3, 4, 5, 6), 0)).toBe(0.5); // 2 * (1 + 1) / 8
  expect(twoSidedP(d(...Array(9999).fill(1)), 0)).toBe(0.0002);
  expect(twoSidedP(d(0, 0, 0), 0)).toBe(1);
  // A residue below the rounding of the values is no difference.
  expect(twoSidedP(d(1e-13, 1e-13, 1e-13), 1e-12)).toBe(1);
});
