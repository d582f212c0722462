import { expect, test } from "vitest";
import { detectableDifference, sampleDeviation } from "../../src/stats/power.ts";
import { X, Y } from "./paired-values.ts";

test("the detectable difference is 2.80 standard errors of the paired differences", () => {
  const differences = Y.map((value, i) => value - (X[i] ?? 0));
  // NumPy: std(ddof=1) = 0.5615511880871639; SciPy: (ppf(.975) + ppf(.8)) * sd / sqrt(20).
  expect(sampleDeviation(differences)).toBeCloseTo(0.5615511880871639, 12);
  expect(detectableDifference(differences)).toBeCloseTo(0.35178570678290605, 12);
});

test("500 traces of which a fifth flip one way and a fifth the other: 7.9 points", () => {
  const differences = Array.from({ length: 500 }, (_, i) => [1, -1, 0, 0, 0][i % 5] ?? 0);
  expect(detectableDifference(differences)).toBeCloseTo(0.0793, 4);
});

test("four times the traces halve it", () => {
  const few = Array.from({ length: 1000 }, (_, i) => (i % 2 ? 1 : -1));
  const many = Array.from({ length: 4000 }, (_, i) => (i % 2 ? 1 : -1));
  const ratio = (detectableDifference(few) ?? 0) / (detectableDifference(many) ?? 1);
  expect(ratio).toBeCloseTo(2, 2);
});

test("fewer than two differences have no spread; equal ones need none", () => {
  expect(detectableDifference([])).toBeNull();
  expect(detectableDifference([1])).toBeNull();
  expect(detectableDifference([0.5, 0.5, 0.5])).toBe(0);
  expect(() => detectableDifference([1, Number.NaN])).toThrow(/differences\[1\]/);
});
