import fc from "fast-check";
import { expect, test } from "vitest";
import { type Rows, spreadOrder } from "../../src/export/order.ts";

/** Rows given by the family number of each. */
function rowsOf(families: readonly number[]): Rows {
  return {
    count: families.length,
    keyOf: (row) => `t-${row}`,
    familyOf: (row) => families[row] ?? -1,
  };
}

function touching(families: readonly number[], order: Uint32Array): number {
  return [...order].filter((row, k) => k > 0 && families[row] === families[order[k - 1] ?? -1])
    .length;
}

const familyLists = fc
  .array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 })
  .map((sizes) => sizes.flatMap((size, family) => Array<number>(size).fill(family)));

test("keeps every row once and parts siblings whenever any order could", () => {
  fc.assert(
    fc.property(familyLists, fc.string(), (families, seed) => {
      const { order, neighbours } = spreadOrder(rowsOf(families), seed);
      expect([...order].sort((a, b) => a - b)).toEqual(families.map((_, row) => row));
      const largest = Math.max(...families.map((f) => families.filter((g) => g === f).length));
      const unavoidable = Math.max(0, largest - (families.length - largest + 1));
      expect(touching(families, order)).toBe(unavoidable);
      expect(neighbours).toBe(unavoidable);
    }),
    { numRuns: 300 },
  );
});

test("one family alone stays as it is, and the neighbours are counted", () => {
  expect(spreadOrder(rowsOf([7, 7, 7]), "0").neighbours).toBe(2);
  expect(spreadOrder(rowsOf([]), "0")).toEqual({ order: new Uint32Array(0), neighbours: 0 });
});

test("depends on seed and keys, not on the order in which rows come", () => {
  const families = Array.from({ length: 60 }, (_, row) => Math.floor(row / 5));
  const forward = rowsOf(families);
  const backward: Rows = {
    count: 60,
    keyOf: (row) => forward.keyOf(59 - row),
    familyOf: (row) => forward.familyOf(59 - row),
  };
  const keys = (rows: Rows, seed: string) => [...spreadOrder(rows, seed).order].map(rows.keyOf);
  expect(keys(backward, "0")).toEqual(keys(forward, "0"));
  expect(keys(forward, "1")).not.toEqual(keys(forward, "0"));
});

test("spreads families that come sorted over the whole file", () => {
  const families = Array.from({ length: 20_000 }, (_, row) => Math.floor(row / 5));
  const { order, neighbours } = spreadOrder(rowsOf(families), "s");
  expect(neighbours).toBe(0);
  const early = [...order.subarray(0, 10_000)].filter((row) => row < 10_000).length;
  expect(early).toBeGreaterThan(4_800);
  expect(early).toBeLessThan(5_200);
});
