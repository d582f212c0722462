import fc from "fast-check";
import { expect, test } from "vitest";
import { LABELS, type Label } from "../../src/core/intervention.ts";
import {
  type LetterPass,
  letterIndex,
  NEAR_TIE,
  passOffsets,
  readDecision,
} from "../../src/result/decision.ts";
import { lettersAt, offsetOf } from "../../src/task/letters.ts";

const pass = (logprobs: readonly number[], offset = 0): LetterPass => {
  return { offset, logprobs, letterMass: 1 };
};
const NONE = Number.NEGATIVE_INFINITY;

test("picks the label of the highest letter, under any offset", () => {
  for (const offset of [0, 1, 2, 3, 4]) {
    const { pick, probabilities } = readDecision([pass([-3, -0.5, -3, -4, -5], offset)]);
    expect(pick).toEqual({ label: lettersAt(offset)[1] });
    expect(LABELS.reduce((sum, label) => sum + (probabilities?.[label] ?? 0), 0)).toBeCloseTo(1);
  }
});

test("B31: an exact tie at the top is no pick, wherever the two letters stand", () => {
  for (const [i, j] of [
    [1, 3],
    [0, 4],
    [2, 3],
  ] as const) {
    const logprobs = [-3, -4, -5, -6, -7].map((low, k) => (k === i || k === j ? -1.5 : low));
    for (const offset of [0, 1, 2, 3, 4]) {
      const decision = readDecision([pass(logprobs, offset)]);
      expect(decision.pick).toEqual({ label: null, reason: "tie" });
      expect(decision.isNearTie).toBe(false);
    }
  }
});

test("averages each label's probability over the passes", () => {
  const toAct = (offset: number) => {
    const logprobs = Array(5).fill(Math.log(0.1));
    logprobs[letterIndex("ACT", offset)] = Math.log(0.6);
    return pass(logprobs, offset);
  };
  const toAsk = pass([0.05, 0.8, 0.05, 0.05, 0.05].map(Math.log));
  const { probabilities, pick } = readDecision([toAct(3), toAsk]);
  expect(probabilities?.ACT).toBeCloseTo((0.6 + 0.05) / 2, 12);
  expect(probabilities?.ASK).toBeCloseTo((0.1 + 0.8) / 2, 12);
  expect(pick).toEqual({ label: "ASK" });
});

test("a model that only sees positions ties over all five rotations", () => {
  const hundredths = fc.array(fc.integer({ min: -300, max: 0 }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(hundredths, (values) => {
      const logprobs = values.map((value) => value / 100);
      const passes = [0, 1, 2, 3, 4].map((offset) => pass(logprobs, offset));
      expect(readDecision(passes).pick).toEqual({ label: null, reason: "tie" });
    }),
  );
});

test("some -Infinity is probability 0; none finite, a NaN or +Infinity is no pick", () => {
  expect(readDecision([pass([NONE, NONE, -2, NONE, NONE])])).toMatchObject({
    pick: { label: "WAIT" },
    probabilities: { ACT: 0, WAIT: 1 },
  });
  for (const logprobs of [
    Array(5).fill(NONE),
    [-1, Number.NaN, -2, -3, -4],
    [-1, Number.POSITIVE_INFINITY, -2, -3, -4],
  ]) {
    const decision = readDecision([pass([-1, -2, -3, -4, -5]), pass(logprobs, 1)]);
    expect(decision.pick).toEqual({ label: null, reason: "not_finite" });
    expect(decision.probabilities).toBeNull();
  }
});

test("B03: a lead below the stated tolerance is a pick and a near tie", () => {
  const lead = (by: number) => readDecision([pass([-1, -1 - by, -5, -6, -7])]);
  expect(lead(0.004)).toMatchObject({ pick: { label: "ACT" }, isNearTie: true });
  expect(lead(NEAR_TIE * 1.01).isNearTie).toBe(false);
});

test("a trace's passes begin at its own offset, and at 0 in the fixed order", () => {
  const own = offsetOf("t-1");
  expect(passOffsets("t-1", { order: "trace", rotations: 1 })).toEqual([own]);
  const all = passOffsets("t-1", { order: "trace", rotations: 5 });
  expect(all[0]).toBe(own);
  expect([...all].sort()).toEqual([0, 1, 2, 3, 4]);
  expect(passOffsets("t-1", { order: "fixed", rotations: 1 })).toEqual([0]);
});

test("letterIndex is the inverse of the lettering", () => {
  for (const offset of [0, 1, 2, 3, 4]) {
    for (const label of LABELS as readonly Label[]) {
      expect(lettersAt(offset)[letterIndex(label, offset)]).toBe(label);
    }
  }
});
