import fc from "fast-check";
import { expect, test } from "vitest";
import { toFixedPoint } from "../../src/stats/fixed-point.ts";

test("keeps rewards exact and their totals independent of order", () => {
  const list = fc.array(fc.constantFrom(1, -0.1, -0.25, 0.3, -0.5), { minLength: 1 });
  fc.assert(
    fc.property(list, (values) => {
      const {
        series: [whole = new Float64Array()],
        scale,
      } = toFixedPoint([values], values.length);
      values.forEach((value, i) => {
        expect((whole[i] ?? 0) / scale).toBe(value);
      });
      const sum = (terms: Float64Array) => terms.reduce((a, b) => a + b, 0);
      expect(sum(whole.toReversed())).toBe(sum(whole));
      expect(Number.isSafeInteger(sum(whole))).toBe(true);
    }),
  );
});

test("rounds any number to a whole multiple, by half a step at most", () => {
  fc.assert(
    fc.property(fc.double({ min: -3, max: 3, noNaN: true }), (value) => {
      const { series, scale } = toFixedPoint([[value]], 100);
      const whole = series[0]?.[0] ?? Number.NaN;
      expect(Number.isSafeInteger(whole)).toBe(true);
      expect(Math.abs(whole - value * scale)).toBeLessThanOrEqual(0.5);
    }),
  );
});

test("uses as many decimals as the totals allow", () => {
  expect(toFixedPoint([[1]], 500).scale).toBe(1e12);
  expect(toFixedPoint([[0.001]], 500).scale).toBe(1e12);
  expect(toFixedPoint([[1], [-1000]], 500).scale).toBe(1e9);
  expect(toFixedPoint([[1]], 100_000).scale).toBe(1e10);
});

test("refuses values that could not be added exactly", () => {
  expect(() => toFixedPoint([[1e15]], 500)).toThrow(/too large to add 500/);
});
