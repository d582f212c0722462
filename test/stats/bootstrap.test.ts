import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrapMean } from "../../src/stats/bootstrap.ts";
import { X } from "./paired-values.ts";

const values = fc.array(fc.constantFrom(1, 0, -0.1, -0.25, -0.5, -1), {
  minLength: 2,
  maxLength: 40,
});

test("agrees with scipy.stats.bootstrap", () => {
  // SciPy 1.17.1, method="percentile", confidence_level=0.9, 200,000 resamples: -0.0150 to 0.4220.
  const { mean, low, high } = bootstrapMean(X, { seed: 1, level: 0.9, resamples: 200_000 });
  expect(mean).toBeCloseTo(0.2065, 12);
  expect(Math.abs((low ?? 0) + 0.015)).toBeLessThan(0.003);
  expect(Math.abs((high ?? 0) - 0.422)).toBeLessThan(0.003);
});

test("E13: one value reports no spread", () => {
  expect(bootstrapMean([0.7], { seed: 1 })).toEqual({
    mean: 0.7,
    low: null,
    high: null,
    degenerate: false,
  });
});

test("E09: no values have no mean", () => {
  expect(bootstrapMean([], { seed: 1 })).toEqual({
    mean: null,
    low: null,
    high: null,
    degenerate: false,
  });
});

test("E11: equal values of any size are flagged as degenerate, others are not", () => {
  for (const value of [0, 1, 0.1, 1 / 3, -0.25, 1e6]) {
    const estimate = bootstrapMean(Array(7).fill(value), { seed: 1, resamples: 200 });
    expect(estimate.degenerate, `${value}`).toBe(true);
    expect(estimate.low).toBe(estimate.high);
    expect(estimate.mean).toBeCloseTo(value, 12);
  }
  expect(bootstrapMean([0, 1, 1], { seed: 1, resamples: 200 }).degenerate).toBe(false);
});

test("the interval contains the mean and widens with the level", () => {
  fc.assert(
    fc.property(values, fc.integer(), (list, seed) => {
      const narrow = bootstrapMean(list, { seed, resamples: 400 });
      const wide = bootstrapMean(list, { seed, resamples: 400, level: 0.99 });
      const { mean, low, high } = narrow;
      if (mean === null || low === null || high === null) throw new Error("no interval");
      expect(low).toBeLessThanOrEqual(mean);
      expect(high).toBeGreaterThanOrEqual(mean);
      expect(wide.low).toBeLessThanOrEqual(low);
      expect(wide.high).toBeGreaterThanOrEqual(high);
    }),
    { numRuns: 50 },
  );
});

test("the same seed gives the same interval, another seed another", () => {
  const list = Array.from({ length: 30 }, (_, i) => Math.sin(i));
  const run = (seed: number) => bootstrapMean(list, { seed, resamples: 500 });
  expect(run(1)).toEqual(run(1));
  expect(run(1).low).not.toBe(run(2).low);
});

test("refuses values and options without meaning", () => {
  expect(() => bootstrapMean([1, Number.NaN], { seed: 1 })).toThrow(/arm 0\[1\].*NaN/);
  expect(() => bootstrapMean([1, 2], { seed: 1, resamples: 0 })).toThrow(/resamples/);
  expect(() => bootstrapMean([1, 2], { seed: 1, level: 95 })).toThrow(/level/);
  expect(() => bootstrapMean([1e16, 2], { seed: 1 })).toThrow(/too large to add/);
});
