import { expect, test } from "vitest";
import { rescore } from "../../src/result/rescore.ts";
import { DECISION, jsonAnswer, letterRow, makeRun, runTrace, textRow } from "./support.ts";

const traces = [runTrace("a", "ASK"), runTrace("b", "ASK")];

test("reproduces every stored parse without asking a model", () => {
  const written = [textRow("a", jsonAnswer("ASK")), textRow("b", "ASK or WAIT")];
  expect(rescore(makeRun(traces, written))).toEqual({
    answers: 2,
    storedScorer: "1",
    differences: [],
  });
  const letters = [letterRow("a", [-1, -2, -3, -4, -5]), letterRow("b", [-1, -1, -3, -4, -5])];
  expect(rescore(makeRun(traces, letters, DECISION)).differences).toEqual([]);
});

test("lists each parse that comes out differently, old and new", () => {
  const row = textRow("a", jsonAnswer("ASK"));
  const stored = { label: null, reason: "no_label" };
  const run = makeRun(traces, [{ ...row, lenient: stored }, textRow("b", "WAIT")]);
  expect(rescore(run).differences).toEqual([
    { id: "a", sample: 0, parse: "lenient", stored, now: { label: "ASK" } },
  ]);
});

test("reads with the model's own end tokens, as the run did", () => {
  const run = makeRun([runTrace("a", "ASK")], [textRow("a", "ASK<|done|>WAIT")]);
  const { header } = run;
  const model = { ...header.model, endTokens: ["<|done|>"] };
  const [difference] = rescore({ ...run, header: { ...header, model } }).differences;
  expect(difference).toMatchObject({ parse: "lenient", now: { label: "ASK" } });
});
