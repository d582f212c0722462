import { expect, test } from "vitest";
import type { Label } from "../../src/core/intervention.ts";
import { bestConstant, measure, runMetrics } from "../../src/result/metrics.ts";
import { scoreRun } from "../../src/result/scored.ts";
import { percent } from "../../src/result/table.ts";
import { SCHEMES, withPrices } from "../../src/task/scheme.ts";
import { seedAnswers } from "./seed-answers.ts";
import { jsonAnswer, makeRun, runTrace, textRow } from "./support.ts";

/** A run of one answer a trace: its gold label, and what was said. */
function runOf(items: readonly (readonly [gold: Label, text: string, finish?: string])[]) {
  const traces = items.map(([gold], at) => runTrace(`t-${at}`, gold));
  const rows = items.map(([, text, finish = "stop"], at) => textRow(`t-${at}`, text, { finish }));
  return makeRun(traces, rows);
}

const counts = ({ numerator, denominator }: { numerator: number; denominator: number }) => {
  return `${numerator}/${denominator}`;
};

test("re-scoring the first baseline's kind of answers gives its published figures", () => {
  const raw = seedAnswers();
  const metrics = runMetrics(runOf(raw.map(({ gold, answer }) => [gold, answer])));
  const shown = (rate: { value: number | null }) => percent(rate.value).replace(/\.\d/, "");
  expect(metrics.answers).toBe(100);
  expect(counts(metrics.accuracy)).toBe("11/100");
  expect(metrics.accuracy.low).toBeCloseTo(0.063, 3);
  expect(metrics.accuracy.high).toBeCloseTo(0.186, 3);
  expect(counts(metrics.actLean)).toBe("26/33");
  expect(metrics.actLean.low).toBeCloseTo(0.622, 3);
  expect(metrics.actLean.high).toBeCloseTo(0.893, 3);
  expect(shown(metrics.prematureAction)).toBe("26%");
  expect(shown(metrics.missedAction)).toBe("4%");
  expect(Math.round(100 * (metrics.memoryDecision.value ?? 0))).toBe(8);
  expect(counts(metrics.unreadable)).toBe("67/100");
  expect(metrics.written && counts(metrics.written.validJson)).toBe("0/100");
  expect(metrics.written && counts(metrics.written.uncertaintyLanguage)).toBe("24/100");
  expect(metrics.written?.formatGap).toBeCloseTo(0.11, 12);
});

test("each rate has the denominator of its definition", () => {
  const metrics = runMetrics(
    runOf([
      ["ACT", jsonAnswer("ACT")],
      ["ACT", jsonAnswer("WAIT")],
      ["ACT", "no idea"],
      ["ASK", jsonAnswer("ACT")],
      ["ASK", "ACT", "length"],
      ["FORGET", jsonAnswer("FORGET")],
      ["REMEMBER", jsonAnswer("ASK")],
    ]),
  );
  expect(counts(metrics.accuracy)).toBe("2/7");
  expect(counts(metrics.prematureAction)).toBe("1/4");
  expect(counts(metrics.missedAction)).toBe("1/3");
  expect(counts(metrics.memoryDecision)).toBe("1/2");
  expect(counts(metrics.actLean)).toBe("2/5");
  expect(counts(metrics.unreadable)).toBe("1/7");
  expect(counts(metrics.cutOff)).toBe("1/7");
  expect(metrics.outcomes).toEqual({
    correct: 2,
    premature_act: 1,
    missed_act: 1,
    wrong: 1,
    unreadable: 1,
    cut_off: 1,
  });
});

test("the confusion matrix has columns of its own for unreadable and cut-off answers", () => {
  const { confusion, labels } = runMetrics(
    runOf([
      ["ASK", jsonAnswer("ASK")],
      ["ASK", jsonAnswer("ACT")],
      ["ASK", "?"],
      ["ASK", jsonAnswer("ASK"), "max_tokens"],
      ["WAIT", jsonAnswer("ASK")],
    ]),
  );
  expect(confusion.ASK).toMatchObject({ ASK: 1, ACT: 1, unreadable: 1, cut_off: 1, WAIT: 0 });
  expect(counts(labels.ASK.precision)).toBe("1/2");
  expect(counts(labels.ASK.recall)).toBe("1/4");
  expect(labels.ASK.f1).toBeCloseTo(2 / 6, 12);
  expect(labels.FORGET).toMatchObject({ f1: null, recall: { value: null } });
});

test("F17: only the answer that hit its limit is priced as cut off", () => {
  const text = jsonAnswer("ASK");
  const run = runOf([
    ["ASK", text],
    ["ASK", text, "length"],
    ["ASK", text],
    ["ASK", text],
  ]);
  const rewards = scoreRun(run, [SCHEMES.asymmetric]).map(({ payments }) => payments["asymmetric"]);
  expect(rewards.map((payment) => payment?.reward)).toEqual([1, -0.5, 1, 1]);
});

test("mean rewards follow each scheme's prices and the parse it reads", () => {
  const strictly = {
    ...withPrices(SCHEMES.symmetric, { wrong: -2 }),
    name: "strictly",
    parse: "strict" as const,
  };
  const run = runOf([
    ["ASK", jsonAnswer("ASK")],
    ["ASK", "I choose ASK"],
    ["ASK", jsonAnswer("WAIT")],
    ["WAIT", jsonAnswer("ACT")],
  ]);
  const { rewards } = runMetrics(run, [SCHEMES.symmetric, SCHEMES.asymmetric, strictly]);
  expect(rewards["symmetric"]).toBeCloseTo(2 / 4, 12);
  expect(rewards["asymmetric"]).toBeCloseTo((2 - 1) / 4, 12);
  expect(rewards["strictly"]).toBeCloseTo((1 - 0.1 - 2) / 4, 12);
});

test("failures are in no rate, and are counted by their code", () => {
  const run = runOf([["ASK", jsonAnswer("ASK")]]);
  const traces = new Map([...run.traces, ["t-1", runTrace("t-1", "ACT")]]);
  const errors = [{ id: "t-1", sample: 0, error: { code: "timeout", message: "m" } }];
  const metrics = runMetrics({ ...run, traces, errors });
  expect(counts(metrics.accuracy)).toBe("1/1");
  expect(metrics).toMatchObject({ traces: 2, answers: 1, errors: { timeout: 1 } });
});

test("contrast consistency counts families of which every answered variant is right", () => {
  const traces = [
    runTrace("a", "ACT", { family: "one" }),
    runTrace("b", "ASK", { family: "one" }),
    runTrace("c", "ACT", { family: "two" }),
    runTrace("d", "ASK", { family: "two" }),
    runTrace("e", "ACT", { family: "alone" }),
  ];
  const rows = ["ACT", "ASK", "ACT", "WAIT", "ACT"].map((said, at) => {
    return textRow(traces[at]?.id ?? "", jsonAnswer(said as Label));
  });
  expect(counts(runMetrics(makeRun(traces, rows)).contrastConsistency)).toBe("1/2");
});

test("a defensible label never changes an outcome; the accuracy counting it stands apart", () => {
  const traces = [runTrace("a", "ASK", { also: ["WAIT"] }), runTrace("b", "ASK")];
  const rows = ["a", "b"].map((id) => textRow(id, jsonAnswer("WAIT")));
  const metrics = runMetrics(makeRun(traces, rows));
  expect(counts(metrics.accuracy)).toBe("0/2");
  expect(counts(metrics.accuracyWithAlso)).toBe("1/2");
  expect(metrics.outcomes.wrong).toBe(2);
});

test("valid JSON, strictly readable and right are told apart", () => {
  const { written } = runMetrics(
    runOf([
      ["ASK", jsonAnswer("ASK")],
      ["ASK", '{"intervention": "ESCALATE", "reason": "r"}'],
      ["ASK", '{"intervention": "ASK"}'],
      ["ASK", '{"intervention": "ASK", "intervention": "ASK", "reason": "r"}'],
      ["ASK", "```json\n{}\n```"],
      ["ASK", "[1]"],
      ["ASK", " \n "],
      ["ASK", "ASK"],
    ]),
  );
  if (!written) throw new Error("no figures of written answers");
  expect(counts(written.validJson)).toBe("4/8");
  expect(counts(written.strictReadable)).toBe("1/8");
  expect(counts(written.empty)).toBe("1/8");
  expect(counts(written.strictAccuracy)).toBe("1/8");
  expect(counts(written.lenientAccuracy)).toBe("3/8");
  expect(written.formatGap).toBe(0.25);
});

test("several samples of a trace are marked, since their intervals are too narrow", () => {
  const rows = [0, 1].map((sample) => textRow("a", jsonAnswer("ASK"), { sample }));
  const metrics = runMetrics(makeRun([runTrace("a", "ASK")], rows, { samples: 2 }));
  expect(metrics).toMatchObject({ isClustered: true, answers: 2, traces: 1 });
  expect(runMetrics(runOf([["ASK", "x"]])).isClustered).toBe(false);
});

test("the best constant label is the most frequent gold label", () => {
  expect(bestConstant(["ASK", "WAIT", "WAIT"])).toMatchObject({
    label: "WAIT",
    accuracy: { numerator: 2, denominator: 3 },
  });
  expect(bestConstant(["FORGET", "ASK"])?.label).toBe("ASK");
  expect(bestConstant([])).toBeNull();
});

test("E09, E11: nothing observed has no value; none of fifty still has an upper end", () => {
  const onlyAct = runMetrics(runOf([["ACT", jsonAnswer("ACT")]]));
  expect(onlyAct.prematureAction).toEqual({
    numerator: 0,
    denominator: 0,
    value: null,
    low: null,
    high: null,
  });
  const wrong = Array.from({ length: 50 }, () => ["ASK", jsonAnswer("WAIT")] as const);
  const { accuracy } = runMetrics(runOf(wrong));
  expect(accuracy.low).toBe(0);
  expect(accuracy.high).toBeCloseTo(0.0713, 4);
  expect(JSON.stringify(measure([]))).not.toMatch(/NaN/);
});

test("figures come from the stored text, not from the stored parses", () => {
  const run = runOf([["ASK", jsonAnswer("ASK")]]);
  const forged = run.answers.map((row) => ({ ...row, lenient: { label: "WAIT" as const } }));
  expect(counts(runMetrics({ ...run, answers: forged }).accuracy)).toBe("1/1");
});
