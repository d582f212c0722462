import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runOk, temporaryFolder } from "../support/cli.ts";

const SEED_SENTENCE = "Sure! I would ACT here and deploy, since the build is green.";

function scored(rows: readonly unknown[], ...args: string[]): unknown[] {
  const input = `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;
  const lines = runOk(["score", "-", ...args], { input }).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

test("scores rows on standard input, gold and rewards null where no gold is known", () => {
  expect(
    scored([
      { id: "a", answer: SEED_SENTENCE, gold: "ASK" },
      { id: "b", answer: '{"intervention": "WAIT", "reason": "r"}' },
      { id: "c", answer: "B", gold: "ACT", letters: ["WAIT", "ACT", "ASK", "FORGET", "REMEMBER"] },
      { id: "d", answer: '{"intervention": "ACT", "reas', gold: "ACT", finish: "length" },
    ]),
  ).toEqual([
    {
      id: "a",
      gold: "ASK",
      strict: { label: null, reason: "not_one_object" },
      lenient: { label: "ACT" },
      outcome: "premature_act",
      rewards: { symmetric: 0, asymmetric: -1 },
    },
    {
      id: "b",
      gold: null,
      strict: { label: "WAIT" },
      lenient: { label: "WAIT" },
      outcome: null,
      rewards: null,
    },
    {
      id: "c",
      gold: "ACT",
      strict: { label: "ACT" },
      lenient: { label: "ACT" },
      outcome: "correct",
      rewards: { symmetric: 1, asymmetric: 1 },
    },
    {
      id: "d",
      gold: "ACT",
      strict: { label: null, reason: "not_one_object" },
      lenient: { label: "ACT" },
      outcome: "cut_off",
      rewards: { symmetric: -0.1, asymmetric: -0.5 },
    },
  ]);
});

test("takes the finish reason under OpenAI's name, too", () => {
  const row = { id: "a", answer: "ASK", gold: "ASK", finish_reason: "length" };
  expect(scored([row])).toMatchObject([{ outcome: "cut_off" }]);
});

test("writes the same rows with --json and without", () => {
  const row = { id: "a", answer: "ASK", gold: "ASK" };
  expect(scored([row], "--json")).toEqual(scored([row]));
});

test("takes gold labels from a set and refuses rows that contradict it", () => {
  const set = ["--set", "scenario-sets/demo"];
  const [known] = scored([{ id: "t-617ec6ee", answer: "FORGET" }], ...set);
  expect(known).toMatchObject({ gold: "FORGET", outcome: "correct" });
  const input =
    '{"id": "t-617ec6ee", "answer": "x", "gold": "ACT"}\n{"id": "t-none", "answer": "x"}\n';
  const { code, stdout, stderr } = runCli(["score", "-", ...set], { input });
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/:1: gold: ACT, but the set says FORGET/);
  expect(stderr).toMatch(/:2: id: "t-none" is not in the set/);
});

test("pays custom prices and schemes from a file", () => {
  const file = join(temporaryFolder(), "harsh.json");
  const prices = {
    correct: 2,
    premature_act: -3,
    missed_act: -1,
    wrong: -0.5,
    unreadable: -2,
    cut_off: -2,
  };
  writeFileSync(file, JSON.stringify({ version: 1, name: "harsh", parse: "strict", prices }));
  const row = { id: "a", answer: "ACT", gold: "ASK" };
  expect(scored([row], "--scheme", file, "--scheme", "symmetric", "--price", "correct=4")).toEqual([
    expect.objectContaining({ outcome: "unreadable", rewards: { harsh: -2, symmetric: 0 } }),
  ]);
});

test("--summary puts metrics beside the rows, on standard error", () => {
  const input = '{"id": "a", "answer": "ASK", "gold": "ASK"}\n';
  const { stdout, stderr } = runCli(["score", "-", "--summary"], { input });
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(/accuracy\s+100\.0%\s+1 of 1/);
});

test("lists every fault of a file with its line and field, and prints no row", () => {
  const input = `{"id": "a", "answer": 7}\n\n{"answer": "x"}\n{"id": "b", "answer": "x", "gold": "Ask "}\n{"id": "c", "ans`;
  const { code, stdout, stderr } = runCli(["score", "-"], { input });
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/stdin:1: answer: /);
  expect(stderr).toMatch(/stdin:3: id: /);
  expect(stderr).toMatch(/stdin:4: gold: .*"ASK"/);
  expect(stderr).toMatch(/stdin:5.*half|stdin:5.*cut|stdin:5/);
});
