import { expect, test } from "vitest";
import type { Label } from "../../src/core/intervention.ts";
import { minePairs } from "../../src/export/mined.ts";
import type { Candidate } from "../../src/export/reasons.ts";
import type { Run } from "../../src/result/run-read.ts";
import type { GenerativeRow } from "../../src/result/run-row.ts";
import type { RunHeader } from "../../src/result/run-schema.ts";
import { templateHash } from "../../src/task/prompt.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { jsonAnswer, makeRun, runTrace, textRow } from "../result/support.ts";

const SET = "d";
const TRACES = ["t-1", "t-2", "t-3"].map((id) => runTrace(id, "WAIT"));

function runOf(
  answers: readonly GenerativeRow[],
  changes: Partial<RunHeader> & { path?: string } = {},
): Run {
  const prompt = { version: "1", template: templateHash("generative") };
  return makeRun(TRACES, answers, {
    prompt,
    set: { name: "s", digest: SET },
    samples: 4,
    ...changes,
  });
}

function candidatesOf(ids: readonly string[], label: Label = "WAIT"): Candidate[] {
  return ids.map((id, position) => ({ id, family: `f-${id}`, label, position, tempting: null }));
}

function answers(id: string, ...texts: readonly (string | [string, string])[]): GenerativeRow[] {
  return texts.map((each, sample) => {
    const [text, finish] = typeof each === "string" ? [each, "stop"] : each;
    return textRow(id, text, { sample, finish });
  });
}

function mine(run: Run | readonly Run[], ids: readonly string[] = ["t-1"]) {
  const runs = Array.isArray(run) ? run : [run];
  return minePairs(runs as Run[], candidatesOf(ids), SCHEMES.asymmetric, SET);
}

test("pairs a strictly correct answer with one of another outcome, typed by the outcome", () => {
  const wrong: Readonly<Record<string, [string | [string, string], Label | null, number]>> = {
    mined_premature_act: [jsonAnswer("ACT"), "ACT", 2],
    mined_wrong: ["I would ASK.", "ASK", 1],
    mined_unreadable: ["no idea", null, 1.5],
    mined_cut_off: [['{"intervention": "WAIT", "rea', "length"], null, 1.5],
  };
  for (const [type, [text, label, margin]] of Object.entries(wrong)) {
    const { pairs, skips } = mine(runOf(answers("t-1", text, jsonAnswer("WAIT"))));
    expect(skips).toEqual([]);
    const rejected = Array.isArray(text) ? text[0] : text;
    expect(pairs).toMatchObject([
      { type, label, source: { answers: { chosen: jsonAnswer("WAIT"), rejected, margin } } },
    ]);
  }
});

test("a right answer that only the lenient parse reads is neither chosen nor rejected", () => {
  const { skips } = mine(runOf(answers("t-1", "I would WAIT.", jsonAnswer("ACT"))));
  expect(skips).toEqual([{ traceId: "t-1", wanted: "mined", reason: "no_strict_correct_answer" }]);
  const other = mine(runOf(answers("t-1", "I would WAIT.", jsonAnswer("WAIT"))));
  expect(other.skips.map(({ reason }) => reason)).toEqual(["no_wrong_answer"]);
});

test("a trace without answers, or with blank wrong ones only, is skipped and counted", () => {
  const rows = [...answers("t-1", jsonAnswer("WAIT"), "  ")];
  const { pairs, skips } = mine(runOf(rows), ["t-1", "t-3"]);
  expect(pairs).toEqual([]);
  expect(skips.map(({ traceId, reason }) => `${traceId} ${reason}`)).toEqual([
    "t-1 no_wrong_answer",
    "t-3 no_answer",
  ]);
});

test("D05: answers that are alike but for white space make no pair, and it is counted", () => {
  const cut: [string, string] = [` ${jsonAnswer("WAIT")}\n`, "length"];
  const { pairs, skips } = mine(runOf(answers("t-1", jsonAnswer("WAIT"), cut)));
  expect(pairs).toEqual([]);
  expect(skips.map(({ reason }) => reason)).toEqual(["same_answers"]);
});

test("thinking in front and end tokens behind are no part of the exported answers", () => {
  const text = (label: Label) => `<think>hm</think>\n${jsonAnswer(label)}</s>`;
  const { pairs } = mine(runOf(answers("t-1", text("WAIT"), text("ACT"))));
  expect(pairs[0]?.source).toMatchObject({
    answers: { chosen: jsonAnswer("WAIT"), rejected: jsonAnswer("ACT") },
  });
});

test("answers to traces that are not exported are never used, so test rows give nothing", () => {
  const rows = [...answers("t-1", jsonAnswer("WAIT"), jsonAnswer("ACT"))];
  expect(() => mine(runOf(rows), ["t-2", "t-3"])).toThrow(
    "run: no answers to the traces that are exported",
  );
  const both = [...rows, ...answers("t-2", jsonAnswer("WAIT"), jsonAnswer("ASK"))];
  expect(mine(runOf(both), ["t-2"]).pairs.map(({ candidate }) => candidate.id)).toEqual(["t-2"]);
});

test("runs of two models, another set, another prompt or letters are refused at once", () => {
  const good = runOf(answers("t-1", jsonAnswer("WAIT"), jsonAnswer("ACT")));
  const { model } = good.header;
  expect(() =>
    mine([
      good,
      runOf([], { path: "b", model: { ...model, spec: "other", details: { size: 1 } } }),
      runOf([], { path: "c", set: { name: "s", digest: "e" } }),
      runOf([], { path: "d", prompt: { version: "0", template: "0".repeat(64) } }),
      runOf([], { path: "e", readout: "decision" }),
    ]),
  ).toThrow(
    /b: model: other, but run: scripted.*c: set.digest: another.*d: prompt.template: .*e: holds letters/s,
  );
});

test("two runs of one model give one pair a trace, never across runs, in any order", () => {
  const first = runOf(answers("t-1", jsonAnswer("WAIT")), { seed: "1" });
  const second = runOf(
    [
      ...answers("t-1", jsonAnswer("WAIT"), jsonAnswer("ACT")),
      ...answers("t-2", jsonAnswer("WAIT"), jsonAnswer("ASK")),
    ],
    { seed: "2" },
  );
  const across = runOf(answers("t-1", jsonAnswer("ACT")), { seed: "3" });
  expect(mine([first, across]).pairs).toEqual([]);
  const { pairs } = mine([first, second, across], ["t-1", "t-2"]);
  expect(pairs.map(({ candidate }) => candidate.id)).toEqual(["t-1", "t-2"]);
  expect(mine([across, second, first], ["t-1", "t-2"]).pairs).toEqual(pairs);
});

test("neither side always takes the first sample", () => {
  const ids = Array.from({ length: 40 }, (_, k) => `t-${k}`);
  const run = makeRun(
    ids.map((id) => runTrace(id, "WAIT")),
    ids.flatMap((id) => answers(id, jsonAnswer("WAIT"), jsonAnswer("ACT"), jsonAnswer("ASK"))),
    {
      prompt: { version: "1", template: templateHash("generative") },
      set: { name: "s", digest: SET },
    },
  );
  const labels = mine(run, ids).pairs.map(({ label }) => label);
  expect(new Set(labels)).toEqual(new Set(["ACT", "ASK"]));
});
