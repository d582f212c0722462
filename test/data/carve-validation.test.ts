import fc from "fast-check";
import { expect, test } from "vitest";
import { carveValidation } from "../../src/data/carve-validation.ts";
import type { TraceHead } from "../../src/data/types.ts";

/** Heads of families of the given sizes. */
function headsOf(sizes: readonly number[], links: Readonly<Record<string, string>> = {}) {
  return sizes.flatMap((size, family) =>
    Array.from({ length: size }, (_, k): TraceHead => {
      const id = `t-${family}-${k}`;
      return {
        id,
        family: `f-${"abcdefghijkl"[family]}`,
        domain: "coding",
        label: "ACT",
        content: "0",
        file: "x",
        line: 1,
        ...(links[id] === undefined ? {} : { links: [links[id]] }),
      };
    }),
  );
}

function all(heads: readonly TraceHead[]): Uint32Array {
  return Uint32Array.from(heads.keys());
}

test("takes whole families, in number as near to the one wanted as greedy filling gets", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 20 }), fc.string(), (list, wanted, seed) => {
      const heads = headsOf(list);
      fc.pre(wanted >= Math.max(...list) && wanted + 6 < heads.length);
      const { train, validation, families } = carveValidation(heads, all(heads), wanted, seed);
      expect([...train, ...validation].sort((a, b) => a - b)).toEqual([...heads.keys()]);
      const familiesOf = (part: Uint32Array) => new Set([...part].map((at) => heads[at]?.family));
      const both = [...familiesOf(validation)].filter((family) => familiesOf(train).has(family));
      expect(both).toEqual([]);
      expect(familiesOf(validation).size).toBe(families);
      expect(Math.abs(validation.length - wanted)).toBeLessThanOrEqual(3);
    }),
  );
});

test("equal families give the exact number, and another seed other families", () => {
  const heads = headsOf([5, 5, 5, 5, 5, 5]);
  const carve = (wanted: number, seed: string) => carveValidation(heads, all(heads), wanted, seed);
  expect(carve(10, "0").validation).toHaveLength(10);
  expect(carve(12, "0").validation).toHaveLength(10);
  expect(carve(13, "0").validation).toHaveLength(15);
  const choices = new Set(["0", "1", "2", "3"].map((seed) => `${carve(10, seed).validation}`));
  expect(choices.size).toBeGreaterThan(1);
});

test("families that a link joins stay together", () => {
  const heads = headsOf([2, 2, 2, 2], { "t-0-0": "t-3-1" });
  for (const seed of ["0", "1", "2", "3", "4", "5"]) {
    const { validation } = carveValidation(heads, all(heads), 4, seed);
    const families = [...validation].map((at) => heads[at]?.family);
    expect(families.includes("f-a")).toBe(families.includes("f-d"));
  }
});

test("does not depend on the order of the set", () => {
  const heads = headsOf([3, 1, 4, 1, 5, 2]);
  const reversed = heads.toReversed();
  const ids = (list: readonly TraceHead[]) =>
    [...carveValidation(list, all(list), 6, "s").validation].map((at) => list[at]?.id).sort();
  expect(ids(reversed)).toEqual(ids(heads));
});

test("C15: refuses to leave nothing to train on, or nothing to validate", () => {
  const heads = headsOf([5, 5]);
  for (const wanted of [10, 100, 2]) {
    expect(() => carveValidation(heads, all(heads), wanted, "0")).toThrow(
      `cannot keep about ${wanted} of 10 train traces back by whole families`,
    );
  }
});
