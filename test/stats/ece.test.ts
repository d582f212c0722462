import fc from "fast-check";
import { expect, test } from "vitest";
import { ece } from "../../src/stats/calibration.ts";
import type { Binning } from "../../src/stats/reliability.ts";

const BINNINGS: readonly Binning[] = ["equal_width", "equal_mass"];
// Hundredths, so that edges and ties are hit often.
const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 1)), {
  minLength: 1,
  maxLength: 60,
});
const bins = fc.integer({ min: 1, max: 20 });

const measure = (list: readonly (readonly number[])[], count: number, binning: Binning) =>
  ece({
    p: list.map(([percent = 0]) => percent / 100),
    right: list.map(([, right = 0]) => right),
    bins: count,
    binning,
  });

test("E01 and E07: every item falls into exactly one of the stated bins, 0 and 1 included", () => {
  fc.assert(
    fc.property(items, bins, fc.constantFrom(...BINNINGS), (list, count, binning) => {
      const table = measure([...list, [0, 1], [100, 0]], count, binning);
      expect(table.counted).toBe(list.length + 2);
      expect(table.bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(list.length + 2);
      expect(table.bins.length).toBeLessThanOrEqual(count);
      expect(table.bins[0]?.low).toBe(0);
      expect(table.bins.at(-1)?.high).toBe(1);
      for (const { low, high, confidence } of table.bins) {
        if (confidence === null) continue;
        expect(confidence).toBeGreaterThanOrEqual(low - 1e-12);
        expect(confidence).toBeLessThanOrEqual(high + 1e-12);
      }
    }),
  );
});

test("lies between the overall gap and 1, whatever the bins, and ignores the order of items", () => {
  fc.assert(
    fc.property(items, bins, fc.constantFrom(...BINNINGS), (list, count, binning) => {
      const { ece: error } = measure(list, count, binning);
      const gap = list.reduce((sum, [percent, right]) => sum + percent / 100 - right, 0);
      expect(error).toBeGreaterThanOrEqual(Math.abs(gap) / list.length - 1e-12);
      expect(error).toBeLessThanOrEqual(1);
      expect(measure(list.toReversed(), count, binning)).toEqual(measure(list, count, binning));
    }),
  );
});

test("E15: bins weigh what they hold", () => {
  const list = [...Array(8).fill([80, 1]), ...Array(2).fill([80, 0]), [10, 1]];
  expect(measure(list, 10, "equal_width").ece).toBeCloseTo(0.9 / 11, 12);
});

test("an edge belongs to the bin below it, exactly, for every edge", () => {
  for (const count of [5, 10, 15, 20, 100]) {
    for (let edge = 1; edge <= count; edge++) {
      const { bins: table } = ece({
        p: [edge / count],
        right: [1],
        bins: count,
        binning: "equal_width",
      });
      expect(table[edge - 1]?.count, `${edge} / ${count}`).toBe(1);
    }
  }
});

test("lists empty bins of equal width without inventing their accuracy", () => {
  const { bins: table } = measure([[95, 1]], 10, "equal_width");
  expect(table).toHaveLength(10);
  expect(table[3]).toEqual({ low: 0.3, high: 0.4, count: 0, confidence: null, accuracy: null });
  expect(table[9]).toEqual({ low: 0.9, high: 1, count: 1, confidence: 0.95, accuracy: 1 });
});

test("bins of equal mass differ by one item at most and never part equal confidences", () => {
  const spread = measure(
    [
      [10, 0],
      [20, 1],
      [30, 0],
      [40, 1],
      [50, 0],
      [60, 1],
      [70, 1],
    ],
    3,
    "equal_mass",
  );
  expect(spread.bins.map(({ count }) => count)).toEqual([2, 2, 3]);
  const tied = measure(
    [
      [10, 0],
      [50, 1],
      [50, 0],
      [50, 1],
      [50, 0],
      [90, 1],
    ],
    3,
    "equal_mass",
  );
  expect(tied.bins.map(({ low, high, count }) => [low, high, count])).toEqual([
    [0.1, 0.5, 5],
    [0.9, 0.9, 1],
  ]);
});

test("nothing counted has no error", () => {
  const { ece: error, counted } = measure([], 10, "equal_width");
  expect([error, counted]).toEqual([null, 0]);
});

test("refuses NaN, shares above 1, half-right items and missing bins", () => {
  const good = { p: [0.5, 0.5], right: [1, 0], bins: 10, binning: "equal_width" } as const;
  expect(() => ece({ ...good, p: [0.5, Number.NaN] })).toThrow(/p\[1\] must be 0 to 1; got NaN/);
  expect(() => ece({ ...good, p: [1.2, 0] })).toThrow(/p\[0\]/);
  expect(() => ece({ ...good, right: [1, 0.5] })).toThrow(/right\[1\]/);
  expect(() => ece({ ...good, right: [1] })).toThrow(/aligned/);
  expect(() => ece({ ...good, bins: 0 })).toThrow(/bins/);
});
