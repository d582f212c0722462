import fc from "fast-check";
import { expect, test } from "vitest";
import { holm } from "../../src/stats/holm.ts";

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

test("agrees with statsmodels, in input order", () => {
  // multipletests(p, method="holm"), statsmodels 0.15.0.
  const adjusted = holm([0.01, 0.04, 0.03, 0.005, 0.2, 0.04]);
  [0.05, 0.12, 0.12, 0.03, 0.2, 0.12].forEach((value, at) => {
    expect(adjusted[at]).toBeCloseTo(value, 12);
  });
});

test("adjusted values keep the order of the raw ones, never fall below them and stay at most 1", () => {
  fc.assert(
    fc.property(pValues, (list) => {
      const adjusted = holm(list);
      expect(adjusted).toHaveLength(list.length);
      list.forEach((p, i) => {
        expect(adjusted[i]).toBeGreaterThanOrEqual(p);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        list.forEach((q, j) => {
          if (p <= q) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? -1);
        });
      });
    }),
  );
});

test("the order of tests does not matter", () => {
  fc.assert(
    fc.property(pValues, (list) => {
      expect(holm(list.toReversed())).toEqual(holm(list).toReversed());
    }),
  );
});

test("refuses what is no p-value", () => {
  for (const p of [Number.NaN, -0.1, 1.1]) expect(() => holm([0.5, p])).toThrow(/p\[1\]/);
});
