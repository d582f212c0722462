import { expect, test } from "vitest";
import { normalQuantile, twoSidedZ } from "../../src/stats/normal.ts";

/** scipy.stats.norm.ppf, SciPy 1.17.1. */
const SCIPY = [
  [1e-300, -37.0470962993612],
  [1e-20, -9.262340089798409],
  [1e-12, -7.034483825301131],
  [3e-11, -6.543737689677803],
  [1e-10, -6.361340902404056],
  [1e-8, -5.612001244174789],
  [0.001, -3.090232306167813],
  [0.025, -1.9599639845400545],
  [0.07, -1.4757910281791706],
  [0.08, -1.4050715603096329],
  [0.3, -0.5244005127080409],
  [0.6, 0.2533471031357997],
  [0.93, 1.475791028179171],
  [0.9999, 3.719016485455709],
] as const;

test("agrees with SciPy to 14 digits from the centre to the far tails", () => {
  for (const [p, z] of SCIPY) {
    expect(Math.abs(normalQuantile(p) / z - 1), `p = ${p}`).toBeLessThan(2e-15);
  }
  expect(normalQuantile(0.5)).toBe(0);
});

test("a level of 0.95 means 1.96 on both sides", () => {
  expect(twoSidedZ(0.95)).toBeCloseTo(1.959963984540054, 14);
  expect(twoSidedZ(1 - 1e-12)).toBeGreaterThan(7);
});

test("refuses shares that have no quantile", () => {
  for (const p of [0, 1, -0.1, 1.1, Number.NaN]) {
    expect(() => normalQuantile(p)).toThrow(/must lie between 0 and 1/);
    expect(() => twoSidedZ(p)).toThrow(/must lie between 0 and 1/);
  }
});
