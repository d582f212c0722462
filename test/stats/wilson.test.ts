import fc from "fast-check";
import { expect, test } from "vitest";
import { wilson } from "../../src/stats/wilson.ts";

/** statsmodels 0.15.0, proportion_confint(k, n, 1 - level, "wilson"). */
const STATSMODELS = [
  [11, 100, 0.95, 0.06254196357064568, 0.18631296503080313],
  [26, 33, 0.95, 0.6224835500784931, 0.8932397846697919],
  [1, 3, 0.9, 0.07826572633372836, 0.746466131718776],
  [499, 500, 0.99, 0.9831912267084774, 0.9997651455056117],
  [250_000, 1_000_000, 0.95, 0.24915227214719252, 0.25084964857483955],
] as const;

const counts = fc
  .integer({ min: 1, max: 3000 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

test("E17: agrees with statsmodels, the anchors 11 of 100 and 26 of 33 included", () => {
  for (const [k, n, level, low, high] of STATSMODELS) {
    const interval = wilson(k, n, level);
    expect(interval?.low, `${k} of ${n}`).toBeCloseTo(low, 14);
    expect(interval?.high, `${k} of ${n}`).toBeCloseTo(high, 14);
  }
});

test("E17: ends at none and all are exactly 0 and 1 for every n up to 2,000", () => {
  for (let n = 1; n <= 2000; n++) {
    const none = wilson(0, n);
    const all = wilson(n, n);
    expect(none?.low).toBe(0);
    expect(all?.high).toBe(1);
    expect(none?.high).toBeLessThan(1);
    expect(all?.low).toBeGreaterThan(0);
  }
});

test("contains the observed share and stays within 0 and 1", () => {
  fc.assert(
    fc.property(counts, fc.double({ min: 0.01, max: 0.999_999, noNaN: true }), ([k, n], level) => {
      const { low, high } = wilson(k, n, level) ?? { low: 2, high: -1 };
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(k / n);
      expect(high).toBeGreaterThanOrEqual(k / n);
      expect(high).toBeLessThanOrEqual(1);
    }),
  );
});

test("moves up with k, widens with the level, and mirrors when right and wrong swap", () => {
  fc.assert(
    fc.property(counts, ([k, n]) => {
      const here = wilson(k, n);
      const up = wilson(Math.min(k + 1, n), n);
      const wider = wilson(k, n, 0.99);
      const mirror = wilson(n - k, n);
      if (!here || !up || !wider || !mirror) throw new Error("no interval");
      expect(up.low).toBeGreaterThanOrEqual(here.low);
      expect(up.high).toBeGreaterThanOrEqual(here.high);
      expect(wider.low).toBeLessThanOrEqual(here.low);
      expect(wider.high).toBeGreaterThanOrEqual(here.high);
      expect(mirror.low).toBeCloseTo(1 - here.high, 12);
    }),
  );
});

test("E09: nothing observed has no interval", () => {
  expect(wilson(0, 0)).toBeNull();
});

test("refuses counts and levels that make no share", () => {
  for (const [k, n] of [
    [-1, 5],
    [6, 5],
    [1.5, 5],
    [1, 0],
    [Number.NaN, 5],
    [0, Number.POSITIVE_INFINITY],
  ] as const) {
    expect(() => wilson(k, n), `${k} of ${n}`).toThrow(/must be a whole number/);
  }
  for (const level of [0, 1, 95, Number.NaN]) {
    expect(() => wilson(1, 2, level)).toThrow(/level must lie between 0 and 1/);
  }
});
