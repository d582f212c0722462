import fc from "fast-check";
import { expect, test } from "vitest";
import { brier, entropy, negativeLogLikelihood, softmax } from "../../src/stats/calibration.ts";

const scores = fc.array(fc.double({ min: -800, max: 0, noNaN: true }), {
  minLength: 1,
  maxLength: 8,
});

test("softmax agrees with SciPy", () => {
  // scipy.special.softmax, SciPy 1.17.1.
  const expected = [
    0.2676697556077358, 0.059725195435645154, 0.5390206950630387, 0.0006634869893404272,
    0.13292086690423982,
  ];
  softmax([-1, -2.5, -0.3, -7, -1.7]).forEach((p, k) => {
    expect(p).toBeCloseTo(expected[k] ?? -1, 14);
  });
});

test("softmax sums to 1, ignores a common shift and follows its scores through any order", () => {
  fc.assert(
    fc.property(scores, (list) => {
      const p = softmax(list);
      expect(p.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      softmax(list.map((score) => score + 1000)).forEach((q, k) => {
        expect(q).toBeCloseTo(p[k] ?? -1, 9);
      });
      expect(softmax(list.toReversed())).toEqual(p.toReversed());
    }),
  );
});

test("softmax gives -Infinity probability 0, and NaN throughout where no distribution follows", () => {
  const none = Number.NEGATIVE_INFINITY;
  expect(softmax([0, none, 0])).toEqual([0.5, 0, 0.5]);
  for (const list of [
    [none, none],
    [0, Number.NaN],
    [0, Number.POSITIVE_INFINITY],
  ]) {
    expect(softmax(list)).toEqual([Number.NaN, Number.NaN]);
  }
});

test("entropy is 0 when certain, ln K when uniform, and agrees with SciPy between", () => {
  expect(entropy([0, 1, 0])).toBe(0);
  expect(entropy([0.2, 0.2, 0.2, 0.2, 0.2])).toBeCloseTo(Math.log(5), 14);
  expect(entropy([0.5, 0.2, 0.2, 0.1])).toBeCloseTo(1.2206072645530175, 14);
  expect(() => entropy([0.5, 0.2])).toThrow(/must sum to 1; got 0.7/);
  expect(() => entropy([0.5, Number.NaN])).toThrow(/probabilities\[1\]/);
});

test("the Brier score is worked out by hand and runs from 0 to 2", () => {
  // (0.7 - 1)^2 + 0.2^2 + 0.1^2 = 0.14 and 0.5^2 + 0.5^2 + 1 = 1.5
  const items = [
    [0.7, 0.2, 0.1],
    [0.5, 0.5, 0],
  ];
  expect(brier(items, [0, 2])).toBeCloseTo((0.14 + 1.5) / 2, 14);
  expect(brier([[1, 0]], [0])).toBe(0);
  expect(brier([[1, 0]], [1])).toBe(2);
  expect(brier([], [])).toBeNull();
});

test("the Brier score refuses what is no distribution or no position", () => {
  expect(() => brier([[0.5, 0.6]], [0])).toThrow(/probabilities\[0\] must sum to 1/);
  expect(() => brier([[Number.NaN, 1]], [0])).toThrow(/probabilities\[0\]\[0\]/);
  expect(() => brier([[0.5, 0.5]], [2])).toThrow(/gold\[0\]/);
  expect(() => brier([[0.5, 0.5]], [])).toThrow(/aligned/);
});

test("the negative log-likelihood of a gold label at 0 is infinite and counted, never NaN", () => {
  const none = Number.NEGATIVE_INFINITY;
  const half = Math.log(0.5);
  expect(negativeLogLikelihood([0, half])).toEqual({
    mean: Math.LN2 / 2,
    infinite: 0,
    finiteMean: Math.LN2 / 2,
  });
  expect(negativeLogLikelihood([none, half, none])).toEqual({
    mean: Number.POSITIVE_INFINITY,
    infinite: 2,
    finiteMean: Math.LN2,
  });
  expect(negativeLogLikelihood([none])).toMatchObject({ infinite: 1, finiteMean: null });
  expect(negativeLogLikelihood([])).toEqual({ mean: null, infinite: 0, finiteMean: null });
  expect(Object.is(negativeLogLikelihood([0]).mean, 0)).toBe(true);
  expect(() => negativeLogLikelihood([Number.NaN])).toThrow(/goldLogs\[0\]/);
  expect(() => negativeLogLikelihood([0.1])).toThrow(/goldLogs\[0\]/);
});
