import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, runOk, temporaryFolder } from "../support/cli.ts";

const ON_DEMO = ["scenario-sets/demo", "--split", "splits/demo.json"];

/** Evaluates the bag of words on one side; returns the run's folder. */
function evaluate(part: "train" | "test", readout: readonly string[]): string {
  const out = join(temporaryFolder(), part);
  const args = ["--part", part, "--model", "baseline:words", "--readout", ...readout];
  runOk(["eval", ...ON_DEMO, ...args, "-o", out]);
  return out;
}

interface Shown {
  readonly accuracy: object;
  readonly decision: {
    readonly logLoss: { readonly mean: number };
    readonly tempered: null | {
      readonly logLoss: { readonly mean: number };
      readonly temperature: { readonly temperature: number; readonly from: object };
    };
  };
}

test("fits a temperature on the train side and shows calibrated figures beside raw ones", () => {
  const [train, held] = [evaluate("train", ["decision"]), evaluate("test", ["decision"])];
  const metrics = (...args: string[]) => {
    const [run] = JSON.parse(runOk(["metrics", held, "--json", ...args])) as [{ metrics: Shown }];
    return run.metrics;
  };
  const raw = metrics();
  const calibrated = metrics("--temperature-from", train);
  expect(raw.decision.tempered).toBeNull();
  expect(calibrated).toEqual({
    ...raw,
    decision: { ...raw.decision, tempered: calibrated.decision.tempered },
  });
  const { tempered } = calibrated.decision;
  expect(tempered?.temperature.temperature).toBeGreaterThan(1);
  expect(tempered?.temperature.from).toMatchObject({ run: train, part: "train", traces: 90 });
  expect(tempered?.logLoss.mean).toBeLessThan(raw.decision.logLoss.mean);
  const text = runOk(["metrics", held, "--temperature-from", train]);
  expect(text).toMatch(/^probabilities +raw +T = 1\.\d{3}$/m);
  expect(text).toMatch(/^asymmetric prices, T = 1\.\d{3} /m);
  expect(runOk(["compare", held, evaluate("test", ["generative"])])).toContain("accuracy");
});

test("refuses a temperature from a run that does not belong, or for several runs at once", () => {
  const held = evaluate("test", ["decision"]);
  const refused = (train: string, runs = [held]) =>
    runCli(["metrics", ...runs, "--temperature-from", train]);
  const itself = refused(held);
  expect(itself.code).toBe(1);
  expect(itself.stderr).toContain("is of the test side, not of train");
  expect(itself.stderr).toContain("both runs hold");
  const written = refused(evaluate("train", ["generative"]));
  expect(written.code).toBe(1);
  expect(written.stderr).toContain("is a generative run, which has no probabilities");
  const averaged = refused(evaluate("train", ["decision", "--rotations", "5"]));
  expect(averaged.stderr).toContain("letters.rotations");
  expect(refused(held, [held, held])).toMatchObject({ code: 2, stdout: "" });
  expect(refused("nowhere")).toMatchObject({ code: 1, stdout: "" });
});

test("prices on the command line decide what they would choose", () => {
  const held = evaluate("test", ["decision"]);
  const file = join(temporaryFolder(), "bold.json");
  const prices = { correct: 1, premature_act: 0.5, missed_act: -1, wrong: 0 };
  const garbage = { unreadable: -2, cut_off: -2 };
  const scheme = { version: 1, name: "bold", parse: "lenient", prices: { ...prices, ...garbage } };
  writeFileSync(file, JSON.stringify(scheme));
  const text = runOk(["metrics", held, "--scheme", file]);
  expect(text).toContain("acting pays, against one rival label, from P(ACT) = 0.200 bold\n");
  expect(text).toMatch(/^bold prices +\d+ /m);
  expect(readFileSync(join(held, "answers.jsonl"), "utf8")).not.toContain("bold");
});
