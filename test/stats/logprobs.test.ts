import fc from "fast-check";
import { expect, test } from "vitest";
import {
  mergeVariants,
  pick,
  pickByMean,
  pickBySum,
  sumLabelLogprob,
} from "../../src/stats/logprobs.ts";

const NONE = Number.NEGATIVE_INFINITY;

test("B31: a tie at the top is no pick in any order; a tie below it does not matter", () => {
  expect(pick([-3, -1.5, -4, -1.5, -5])).toEqual({ pick: null, ties: 1 });
  expect(pick([-1, -1, -1])).toEqual({ pick: null, ties: 1 });
  expect(pick([-3, -1.5, -3])).toEqual({ pick: 1, ties: 0 });
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -5, max: 0 }), { minLength: 1, maxLength: 6 }),
      (list) => {
        const forward = pick(list);
        const backward = pick(list.toReversed());
        expect(backward.ties).toBe(forward.ties);
        expect(backward.pick).toBe(forward.pick === null ? null : list.length - 1 - forward.pick);
      },
    ),
  );
});

test("scores without a distribution give no pick and no tie", () => {
  for (const list of [[], [NONE, NONE], [0, Number.NaN], [-1, Number.POSITIVE_INFINITY]]) {
    expect(pick(list)).toEqual({ pick: null, ties: 0 });
  }
  expect(pick([NONE, -2])).toEqual({ pick: 1, ties: 0 });
});

test("B07: sums exactly the label's positions", () => {
  const positions = [-9, -9, -0.1, -0.2, -0.3, -9];
  expect(sumLabelLogprob(positions, 2, 3)).toBeCloseTo(-0.6, 12);
  expect(sumLabelLogprob(positions, 1, 3)).toBeCloseTo(-9.3, 12);
  expect(sumLabelLogprob([-1], 0, 1)).toBe(-1);
});

test("B05: never scores zero positions, nor positions that are not there", () => {
  expect(() => sumLabelLogprob([-1, -2], 0, 0)).toThrow(/count/);
  expect(() => sumLabelLogprob([-1, -2], -1, 1)).toThrow(/first/);
  expect(() => sumLabelLogprob([-1, -2], 1, 2)).toThrow(/positions 1 to 2 does not fit 2/);
});

test("B15: the sum favours the short label, the mean the long one, and each names its rule", () => {
  const labels = { ACT: { sum: -4, tokens: 1 }, REMEMBER: { sum: -6, tokens: 3 } };
  expect(pickBySum(labels)).toEqual({
    rule: "sum",
    pick: "ACT",
    ties: 0,
    scores: { ACT: -4, REMEMBER: -6 },
  });
  expect(pickByMean(labels)).toEqual({
    rule: "mean",
    pick: "REMEMBER",
    ties: 0,
    scores: { ACT: -4, REMEMBER: -2 },
  });
  expect(pickBySum({ ACT: labels.ACT, ASK: labels.ACT })).toMatchObject({ pick: null, ties: 1 });
  expect(() => pickByMean({ ACT: { sum: -4, tokens: 0 } })).toThrow(/tokens of ACT/);
});

test("B19: variants with white space in front and repeats add up; look-alikes stay out", () => {
  const top = [
    ["A", 0.4],
    [" A", 0.2],
    ["\n A", 0.1],
    ["A", 0.05],
    ["B", 0.1],
    ["A ", 0.01],
    ["a", 0.01],
    ["А", 0.02], // U+0410
    ["Ａ", 0.02], // U+FF21
    ["AB", 0.01],
    [" ", 0.01],
  ] as const;
  const merged = mergeVariants(top, ["A", "B"]);
  expect(merged.A).toBeCloseTo(0.75, 12);
  expect(merged.B).toBe(0.1);
});

test("B23: a letter that no entry names is unknown, never 0", () => {
  expect(mergeVariants([["A", 0.9]], ["A", "B"])).toEqual({ A: 0.9 });
  expect("B" in mergeVariants([["A", 0.9]], ["A", "B"])).toBe(false);
  expect(mergeVariants([], ["A"])).toEqual({});
});
