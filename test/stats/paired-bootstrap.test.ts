import fc from "fast-check";
import { expect, test } from "vitest";
import type { Measured } from "../../src/stats/join.ts";
import { bootstrapArms, pairedBootstrap } from "../../src/stats/paired-bootstrap.ts";
import { X, Y } from "./paired-values.ts";

const REWARDS = [1, 0, -0.1, -0.25, -0.5, -1];
const rewards = fc.constantFrom(...REWARDS);
const pairs = fc.array(fc.tuple(rewards, rewards), { minLength: 2, maxLength: 30 });
const rows = (values: readonly number[]): Measured[] =>
  values.map((value, i) => ({ id: `t-${i}`, value }));

test("agrees with scipy.stats.bootstrap on paired differences", () => {
  // SciPy 1.17.1, method="percentile", 200,000 resamples of the differences: 0.0410 to 0.5185.
  const {
    pairs: [pair],
  } = bootstrapArms([X, Y], { seed: 1, resamples: 200_000 });
  expect(pair?.difference).toBeCloseTo(0.2585, 12);
  expect(Math.abs((pair?.low ?? 0) - 0.041)).toBeLessThan(0.002);
  expect(Math.abs((pair?.high ?? 0) - 0.5185)).toBeLessThan(0.002);
  expect(pair?.p).toBeGreaterThan(0);
  expect(pair?.p).toBeLessThan(0.05);
});

test("E05: rows are paired by id, so their order changes nothing", () => {
  fc.assert(
    fc.property(pairs, fc.array(fc.nat(), { minLength: 30, maxLength: 30 }), (list, keys) => {
      const a = rows(list.map(([value]) => value));
      const b = rows(list.map(([, value]) => value));
      const order = b.map((_, i) => i).sort((i, j) => (keys[i] ?? 0) - (keys[j] ?? 0));
      const shuffled = order.map((i) => b[i] as Measured);
      const options = { seed: 3, resamples: 200 };
      const plain = pairedBootstrap({ a, b }, options);
      expect(pairedBootstrap({ a, b: shuffled }, options)).toEqual(plain);
      expect(pairedBootstrap({ a: a.toReversed(), b: shuffled }, options)).toEqual(plain);
    }),
    { numRuns: 40 },
  );
});

test("counts the ids that only one arm measured and leaves them out", () => {
  const a = rows([1, 0, 1, 0]);
  const b = [{ id: "only-b", value: 1 }, ...rows([1, 1, 1])];
  const estimate = pairedBootstrap({ a, b }, { seed: 1, resamples: 100 });
  expect(estimate).toMatchObject({ shared: 3, onlyA: 1, onlyB: 1 });
  expect(estimate.difference).toBeCloseTo(1 / 3, 12);
});

test("C03: an id that an arm holds twice is an error naming it", () => {
  const a = [...rows([1, 0]), { id: "t-1", value: 1 }];
  expect(() => pairedBootstrap({ a, b: rows([1, 0]) }, { seed: 1 })).toThrow(/arm 0: "t-1"/);
});

test("arms without a shared id are an error", () => {
  const b = [{ id: "x", value: 1 }];
  expect(() => pairedBootstrap({ a: rows([1]), b }, { seed: 1 })).toThrow(/share no id/);
});

test("one draw serves every pair: differences of three arms add up", () => {
  const z = X.map((value, i) => value - (i % 3));
  const { arms, pairs: found } = bootstrapArms([X, Y, z], { seed: 1, resamples: 500 });
  expect(found.map(({ first, second }) => [first, second])).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  const [xy, xz, yz] = found.map(({ difference }) => difference);
  expect((xy ?? 0) + (yz ?? 0)).toBeCloseTo(xz ?? 0, 12);
  expect((arms[1]?.mean ?? 0) - (arms[0]?.mean ?? 0)).toBeCloseTo(xy ?? 0, 12);
  // A pair's figures do not depend on which other arms are compared.
  const alone = bootstrapArms([X, Y], { seed: 1, resamples: 500 }).pairs[0];
  expect(found[0]?.p).toBe(alone?.p);
  expect(found[0]?.low).toBeCloseTo(alone?.low ?? 0, 9);
});

test("swapping two arms mirrors the interval and keeps p", () => {
  fc.assert(
    fc.property(pairs, (list) => {
      const a = list.map(([value]) => value);
      const b = list.map(([, value]) => value);
      const options = { seed: 5, resamples: 200 };
      const [there] = bootstrapArms([a, b], options).pairs;
      const [back] = bootstrapArms([b, a], options).pairs;
      expect(back?.p).toBe(there?.p);
      expect(back?.low).toBeCloseTo(-(there?.high ?? 0), 12);
      expect(there?.difference).toBeGreaterThanOrEqual(there?.low ?? 2);
      expect(there?.difference).toBeLessThanOrEqual(there?.high ?? -2);
    }),
    { numRuns: 40 },
  );
});

test("rewards that add up to the same total are no difference, whatever floats say", () => {
  // Ten garbage answers at -0.1 against one premature ACT at -1, in every resample of clusters.
  const a = Array.from({ length: 30 }, () => -0.1);
  const b = Array.from({ length: 30 }, (_, i) => (i % 10 === 0 ? -1 : 0));
  const clusters = a.map((_, i) => Math.floor(i / 10));
  expect(a.reduce((x, y) => x + y, 0)).not.toBe(-3);
  const {
    pairs: [pair],
  } = bootstrapArms([a, b], { seed: 1, resamples: 300, clusters });
  expect(pair).toMatchObject({ difference: 0, low: 0, high: 0, p: 1, degenerate: true });
});

test("E11: a constant difference is flagged as degenerate", () => {
  const a = [0, 1 / 3, 2 / 3, 1 / 7];
  const b = a.map((value) => value + 0.1);
  const {
    pairs: [pair],
  } = bootstrapArms([a, b], { seed: 1, resamples: 200 });
  expect(pair?.degenerate).toBe(true);
  expect(pair?.difference).toBeCloseTo(0.1, 12);
});

test("alike siblings: drawing families gives a wider interval than drawing traces", () => {
  const families = Array.from({ length: 100 }, (_, i) => Math.floor(i / 5));
  const a = families.map(() => 0);
  const b = families.map((family) => family % 2);
  const byTrace = bootstrapArms([a, b], { seed: 1, resamples: 2000 });
  const byFamily = bootstrapArms([a, b], { seed: 1, resamples: 2000, clusters: families });
  const width = ([pair]: typeof byTrace.pairs) => (pair?.high ?? 0) - (pair?.low ?? 0);
  expect(width(byFamily.pairs)).toBeGreaterThan(1.5 * width(byTrace.pairs));
  expect(byFamily.pairs[0]?.difference).toBe(byTrace.pairs[0]?.difference);
  expect([byTrace.blocks, byFamily.blocks]).toEqual([100, 20]);
});

test("a resample's mean is over the units drawn, however large their families are", () => {
  const clusters = [0, 1, 1, 2, 2, 2, 2, 2];
  const ones = clusters.map(() => 1);
  const { arms } = bootstrapArms([ones], { seed: 1, resamples: 200, clusters });
  expect(arms).toEqual([{ mean: 1, low: 1, high: 1, degenerate: true }]);
});

test("E13: one family has no spread to report", () => {
  const {
    arms,
    pairs: [pair],
  } = bootstrapArms(
    [
      [0, 1],
      [1, 1],
    ],
    { seed: 1, clusters: [4, 4] },
  );
  expect(arms[0]).toEqual({ mean: 0.5, low: null, high: null, degenerate: false });
  expect(pair).toMatchObject({ difference: 0.5, low: null, high: null, p: null });
});

test("refuses arms that are empty, unaligned or not finite", () => {
  const options = { seed: 1, resamples: 10 };
  expect(() => bootstrapArms([], options)).toThrow(/at least one arm/);
  expect(() => bootstrapArms([[]], options)).toThrow(/at least one unit/);
  expect(() => bootstrapArms([[1, 2], [1]], options)).toThrow(/aligned: 2 and 1/);
  expect(() => bootstrapArms([[1], [Number.POSITIVE_INFINITY]], options)).toThrow(/arm 1\[0\]/);
  expect(() => bootstrapArms([[1, 2]], { ...options, clusters: [1] })).toThrow(/clusters/);
});
