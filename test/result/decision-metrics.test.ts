import { expect, test } from "vitest";
import { LABELS, type Label } from "../../src/core/intervention.ts";
import { letterIndex } from "../../src/result/decision.ts";
import { runMetrics } from "../../src/result/metrics.ts";
import { offsetOf } from "../../src/task/letters.ts";
import { DECISION, decisionRow, letterRow, makeRun, runTrace } from "./support.ts";

/** A row whose labels have these probabilities, under the trace's own offset. */
function rowOf(id: string, probabilities: Readonly<Record<Label, number>>) {
  const offset = offsetOf(id);
  const logprobs = Array(5).fill(0);
  for (const label of LABELS) logprobs[letterIndex(label, offset)] = Math.log(probabilities[label]);
  return decisionRow(id, [{ offset, logprobs, letterMass: 0.9 }]);
}

const sure = { ACT: 0.6, ASK: 0.1, WAIT: 0.1, REMEMBER: 0.1, FORGET: 0.1 };

function decisionOf(golds: readonly Label[], rows: readonly ReturnType<typeof rowOf>[]) {
  const traces = golds.map((gold, at) => runTrace(`t-${at}`, gold));
  const metrics = runMetrics(makeRun(traces, rows, DECISION));
  if (!metrics.decision) throw new Error("no figures of decisions");
  expect(metrics.written).toBeNull();
  return { metrics, decision: metrics.decision };
}

test("losses and calibration come from the probability of the gold label and of the pick", () => {
  const { metrics, decision } = decisionOf(
    ["ACT", "ASK"],
    [rowOf("t-0", sure), rowOf("t-1", sure)],
  );
  expect(metrics.accuracy).toMatchObject({ numerator: 1, denominator: 2 });
  expect(decision.logLoss).toMatchObject({ infinite: 0 });
  expect(decision.logLoss.mean).toBeCloseTo(-(Math.log(0.6) + Math.log(0.1)) / 2, 9);
  const [right, wrong] = [0.4 ** 2 + 4 * 0.1 ** 2, 0.6 ** 2 + 0.9 ** 2 + 3 * 0.1 ** 2];
  expect(decision.brier).toBeCloseTo((right + wrong) / 2, 9);
  expect(decision.calibration.equalWidth.ece).toBeCloseTo(0.1, 9);
  expect(decision.letterMass.mean).toBeCloseTo(0.9, 12);
});

test("B31: ties have no pick, are unreadable, and are counted", () => {
  const tied = { ...sure, ACT: 0.35, ASK: 0.35 };
  const { metrics, decision } = decisionOf(
    ["ACT", "ACT"],
    [rowOf("t-0", tied), rowOf("t-1", sure)],
  );
  expect(decision.ties).toBe(1);
  expect(decision.calibration.equalWidth.counted).toBe(1);
  expect(metrics.unreadable).toMatchObject({ numerator: 1, denominator: 2 });
  expect(metrics.accuracy).toMatchObject({ numerator: 1, denominator: 2 });
});

test("D25: scores that are not finite give no pick, and each one is counted", () => {
  const logprobs = [-1, Number.NaN, Number.NEGATIVE_INFINITY, -2, -3];
  const { metrics, decision } = decisionOf(
    ["ACT", "ACT"],
    [letterRow("t-0", logprobs, { letterMass: Number.NaN }), rowOf("t-1", sure)],
  );
  expect(decision).toMatchObject({ notFinite: 1, nonFiniteScores: 2 });
  expect(decision.letterMass.mean).toBeCloseTo(0.9, 12);
  expect(metrics.unreadable.numerator).toBe(1);
  expect(JSON.stringify(metrics)).not.toMatch(/NaN|Infinity/);
});

test("an impossible gold label makes the loss infinite, said in words, never a bare null", () => {
  const impossible = { ACT: 1, ASK: 0, WAIT: 0, REMEMBER: 0, FORGET: 0 };
  const rows = [rowOf("t-0", impossible), rowOf("t-1", sure)];
  const { decision } = decisionOf(["ASK", "ACT"], rows);
  expect(decision.logLoss).toMatchObject({ mean: "inf", infinite: 1 });
  expect(decision.logLoss.finiteMean).toBeCloseTo(-Math.log(0.6), 9);
});

test("B13: a habit of one letter shows as bias, while gold labels lie evenly on the letters", () => {
  const ids = Array.from({ length: 500 }, (_, at) => `t-${at}`);
  const golds = ids.map((_, at) => LABELS[at % 5] ?? "ACT");
  const always = ids.map((id) => letterRow(id, [-5, -0.1, -5, -5, -5]));
  const { metrics, decision } = decisionOf(golds, always);
  const { letters, farthest } = decision.letterBias;
  expect(letters.B.picked.value).toBe(1);
  expect(farthest).toBeCloseTo(0.8, 12);
  for (const { gold } of Object.values(letters)) expect(gold.value).toBeCloseTo(0.2, 1);
  expect(metrics.accuracy.value).toBeLessThan(0.27);
});

test("near ties are counted with their tolerance", () => {
  const close = letterRow("t-0", [-1, -1.004, -5, -6, -7]);
  const { decision } = decisionOf(["ACT"], [close]);
  expect(decision.nearTies).toEqual({ count: 1, within: 0.01 });
});
