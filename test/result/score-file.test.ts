import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Label } from "../../src/core/intervention.ts";
import { measure } from "../../src/result/metrics.ts";
import { type ScoreFileOptions, scoreFile } from "../../src/result/score-file.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { temporaryFolder } from "../support/cli.ts";
import { readRows } from "../support/fixtures.ts";
import { seedAnswers } from "./seed-answers.ts";

function fileOf(rows: readonly unknown[]): string {
  const file = join(temporaryFolder(), "rows.jsonl");
  const lines = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)));
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

const scoreRows = async (rows: readonly unknown[], options?: ScoreFileOptions) =>
  (await scoreFile(fileOf(rows), options)).rows;

const set: NonNullable<ScoreFileOptions["traceOf"]> = (id) =>
  id === "a" ? { family: "f", domain: "coding", label: "ASK" } : undefined;

interface Case {
  readonly id: string;
  readonly answer?: string;
  readonly repeat?: { prefix: string; unit: string; times: number; suffix: string };
  readonly gold: Label;
  readonly expect: Record<"strict" | "lenient" | "outcome", string | null | (string | null)[]>;
}

test.each(readRows<Case>("parse.jsonl"))("$id: comes out as the case table says", async (row) => {
  const { repeat } = row;
  const answer = repeat
    ? repeat.prefix + repeat.unit.repeat(repeat.times) + repeat.suffix
    : row.answer;
  const [scored] = await scoreRows([{ ...row, answer }]);
  const any = (value: string | null | (string | null)[]) =>
    Array.isArray(value) ? value : [value];
  expect(any(row.expect.strict)).toContain(scored?.strict.label);
  expect(any(row.expect.lenient)).toContain(scored?.lenient.label);
  expect(any(row.expect.outcome)).toContain(scored?.outcome);
});

test("gives exactly the promised fields, in order", async () => {
  const [plain, sampled] = await scoreRows([
    {
      id: "a",
      answer: "Sure! I would ACT here and deploy, since the build is green.",
      gold: "ACT",
    },
    { id: "a", sample: 3, answer: "x", gold: "ASK", note: "someone else's field" },
  ]);
  expect(JSON.stringify(plain)).toBe(
    '{"id":"a","gold":"ACT","strict":{"label":null,"reason":"not_one_object"},"lenient":{"label":"ACT"},"outcome":"correct","rewards":{"symmetric":1,"asymmetric":1}}',
  );
  expect(Object.keys(sampled ?? {})).toEqual([
    "id",
    "sample",
    "gold",
    "strict",
    "lenient",
    "outcome",
    "rewards",
  ]);
});

test("F01: without a gold label there is neither outcome nor reward", async () => {
  for (const row of [
    { id: "a", answer: "ASK" },
    { id: "a", answer: "ASK", gold: null, finish: null, sample: null, letters: null },
  ]) {
    const [scored] = await scoreRows([row]);
    expect(scored).toEqual({
      id: "a",
      gold: null,
      strict: { label: null, reason: "not_one_object" },
      lenient: { label: "ASK" },
      outcome: null,
      rewards: null,
    });
  }
});

test("the gold label comes from the row or from the set", async () => {
  const rows = await scoreRows(
    [
      { id: "a", answer: "ASK" },
      { id: "b", answer: "ASK", gold: "WAIT" },
    ],
    {
      traceOf: set,
    },
  );
  expect(rows.map(({ gold, outcome }) => [gold, outcome])).toEqual([
    ["ASK", "correct"],
    ["WAIT", "wrong"],
  ]);
});

test("rewards are keyed by scheme, and each scheme reads its own parse", async () => {
  const strict = { ...SCHEMES.symmetric, name: "exacting", parse: "strict" as const };
  const row = { id: "a", answer: "I choose ASK", gold: "ASK" };
  const [lenientFirst] = await scoreRows([row], { schemes: [SCHEMES.asymmetric, strict] });
  expect(lenientFirst).toMatchObject({
    outcome: "correct",
    rewards: { asymmetric: 1, exacting: -0.1 },
  });
  const [strictFirst] = await scoreRows([row], { schemes: [strict] });
  expect(strictFirst).toMatchObject({ outcome: "unreadable", rewards: { exacting: -0.1 } });
});

test("lettered replies, echoed prompts and finish reasons are read as given", async () => {
  const letters = ["WAIT", "ACT", "REMEMBER", "ASK", "FORGET"];
  const rows = await scoreRows([
    { id: "1", answer: "D", letters, gold: "ASK" },
    { id: "2", answer: "Choose ACT.\nASK", prompt: "Choose ACT.", gold: "ASK" },
    { id: "3", answer: "ASK", finish: "max_output_tokens", gold: "ASK" },
  ]);
  expect(rows.map(({ outcome }) => outcome)).toEqual(["correct", "correct", "cut_off"]);
  expect(rows[0]?.strict).toEqual({ label: "ASK" });
});

test("lists every fault of a file at once, with line and field, and scores nothing", async () => {
  const file = fileOf([
    { id: "a", answer: "x" },
    "",
    { id: "a", answer: "y" },
    { id: "b", answer: null },
    { id: "c", answer: "x", gold: "Ask " },
    { id: "d", answer: "x", gold: "ESCALATE" },
    { id: "a", sample: 1, answer: "x", gold: "WAIT" },
    { id: "unknown", answer: "x" },
    { id: "e", answer: "x", gold: "ASK", letters: ["ACT", "ACT", "ASK", "WAIT", "FORGET"] },
    { id: "f", answer: "x", gold: "ASK", letters: ["ACT", "ASK"] },
    { answer: "x" },
    '{"id":"g","answer":"x","logprob":NaN}',
    '{"id":"h"',
  ]);
  const error = await scoreFile(file, { traceOf: set }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "invalid" });
  for (const part of [
    '3: id: "a" stands on line 1 already; number its answers with "sample"',
    "4: answer: expected a string, not null",
    "5: gold: ",
    "6: gold: ",
    "7: gold: WAIT, but the set says ASK",
    '8: id: "unknown" is not in the set and has no gold label',
    "9: letters: a list of 5 must be the five labels",
    "10: letters: a list of 2 must be the five labels",
    "11: id: required field is missing",
    "12:",
    "13:",
  ]) {
    expect((error as Error).message).toContain(`${file}:${part}`);
  }
});

test("somebody else's hundred answers, scored again, give the figures they are known for", async () => {
  const { answers } = await scoreFile(fileOf(seedAnswers()));
  const metrics = measure(answers);
  expect(metrics.accuracy).toMatchObject({ numerator: 11, denominator: 100 });
  expect(metrics.actLean).toMatchObject({ numerator: 26, denominator: 33 });
  expect(metrics).toMatchObject({ domains: {}, contrastConsistency: { denominator: 0 } });
});
