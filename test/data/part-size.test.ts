import fc from "fast-check";
import { expect, test } from "vitest";
import { partSize } from "../../src/data/part-size.ts";

test("C09: a share of 100 rows is that many rows for every hundredth", () => {
  expect([partSize(100, 0.07), partSize(100, 0.29)]).toEqual([7, 29]);
  for (let k = 1; k < 100; k++)
    expect(partSize(100, Number(`0.${String(k).padStart(2, "0")}`))).toBe(k);
});

test("a share is the nearest row of its decimal number, halves up", () => {
  expect([
    partSize(100, 0.145),
    partSize(100, 0.135),
    partSize(5, 0.5),
    partSize(3, 1 / 3),
  ]).toEqual([15, 14, 3, 1]);
  expect([partSize(10, 1e-7), partSize(10_000_000, 1e-7), partSize(7, 0.99999)]).toEqual([0, 1, 7]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999 }), fc.nat(2_000_000), (millionths, total) => {
      const wanted = (BigInt(millionths) * BigInt(total) * 2n + 1_000_000n) / 2_000_000n;
      expect(partSize(total, millionths / 1e6)).toBe(Number(wanted));
    }),
  );
});

test("a whole number is a count", () => {
  expect([partSize(10, 1), partSize(10, 30), partSize(10, 500)]).toEqual([1, 30, 500]);
});

test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -0.2, 2 ** 60])(
  "%d is no part",
  (request) => {
    expect(() => partSize(100, request)).toThrow(expect.objectContaining({ code: "usage" }));
  },
);
