import { expect, test } from "vitest";
import type { Label } from "../../src/core/intervention.ts";
import { runMetrics } from "../../src/result/metrics.ts";
import { renderHeadline, renderMetrics } from "../../src/result/render-metrics.ts";
import type { Run } from "../../src/result/run-read.ts";
import { fitRunTemperature } from "../../src/result/run-temperature.ts";
import { testRun, trainRun } from "./calibration-run.ts";
import { DECISION, letterRow, makeRun, runTrace } from "./support.ts";

const named = (run: Run, train?: Run) => ({
  name: run.path,
  model: run.header.model.spec,
  metrics: runMetrics(run, undefined, train && fitRunTemperature(train, run)),
});

test("shows calibrated figures beside the raw ones, and where their temperature comes from", () => {
  const text = renderMetrics([named(testRun(), trainRun())]);
  expect(text).toMatch(/^probabilities +raw +T = 1\.228$/m);
  expect(text).toMatch(/^negative log-likelihood +1\.455 +1\.465$/m);
  expect(text).toMatch(/^Brier score +0\.741 +0\.743$/m);
  expect(text).toMatch(/^calibration error, 10 bins of equal width +0\.201 +0\.153$/m);
  expect(text).toMatch(/^calibration error, 10 bins of equal mass +0\.448 +0\.440$/m);
  expect(text).toContain(
    "T = 1.228 is fitted on 6 train traces of runs/train; negative log-likelihood there: 1.530 raw, 1.526 fitted\n",
  );
  expect(text).toContain("reliability of 6 picks, T = 1.228, 10 bins of equal mass:\n");
  expect(text).not.toMatch(/warning|NaN|undefined|null/);
});

test("shows what prices would choose, raw and at the temperature", () => {
  const text = renderMetrics([named(testRun(), trainRun())]);
  const row = "28\\.6% +0\\.0% +100\\.0% +1 +0\\.271 +0\\.143";
  expect(text).toMatch(/^likeliest label +0 +28\.6% +40\.0% +50\.0% +1 +0\.271 +-0\.107$/m);
  expect(text).toMatch(new RegExp(`^asymmetric prices +3 +${row}$`, "m"));
  expect(text).toMatch(new RegExp(`^asymmetric prices, T = 1\\.228 +3 +${row}$`, "m"));
  expect(text).toContain(
    "acting pays, against one rival label, from P(ACT) = 0.500 symmetric, 0.615 asymmetric\n",
  );
});

/** A run of one answer whose letter scores favour `said`, with a gold label. */
function single(id: string, gold: Label, part: "train" | "test", logprobs: number[]) {
  return makeRun([runTrace(id, gold)], [letterRow(id, logprobs)], {
    ...DECISION,
    path: `runs/${part}`,
    split: { digest: "5".repeat(64), part },
  });
}

test("warns when the fit ends at a bound or tells nothing", () => {
  const run = single("e", "ACT", "test", [-1, -2, -2, -2, -2]);
  const even = single("t", "ACT", "train", Array(5).fill(-2));
  expect(renderMetrics([named(run, even)])).toContain(
    "warning: every temperature fits the train side alike",
  );
  // Its gold label is the likeliest one, so that more certainty always helps; or the least likely.
  const labels = ["ACT", "ASK", "WAIT", "REMEMBER", "FORGET"] as const;
  const texts = labels.map((gold) =>
    renderMetrics([named(run, single("t", gold, "train", [-1, -2, -3, -4, -5]))]),
  );
  const lower = texts.filter((text) => text.includes("T = 0.010 is fitted"));
  const upper = texts.filter((text) => text.includes("T = 100.000 is fitted"));
  expect(lower).toHaveLength(1);
  expect(upper.length).toBeGreaterThan(0);
  expect(lower[0]).toContain("warning: the fit ends at its lower bound, 0.01: ");
  for (const text of upper) {
    expect(text).toContain("warning: the fit ends at its upper bound, 100: ");
  }
});

test("says what the fit left out", () => {
  const train = trainRun();
  const none = Number.NEGATIVE_INFINITY;
  const broken = letterRow("r-1", Array(5).fill(none), { rotations: 2 });
  const sure = [0, 1, 2, 3, 4].map((k) =>
    letterRow("r-2", [none, none, none, none, none].with(k, -1), { rotations: 2 }),
  );
  const texts = sure.map((row) => {
    const answers = [broken, row, ...train.answers.slice(2)];
    return renderMetrics([named(testRun(), { ...train, answers })]);
  });
  expect(texts.every((text) => text.includes("of 6: 1 have no probabilities"))).toBe(true);
  expect(texts.some((text) => text.includes("and 1 gave their gold label probability 0"))).toBe(
    true,
  );
});

test("a headline warns of letters that hold little, and of a fixed order with its bias", () => {
  const traces = [runTrace("a", "ACT"), runTrace("b", "ASK")];
  const rows = ["a", "b"].map((id) => {
    const passes = [{ offset: 0, logprobs: [-1, -2, -3, -4, -5], letterMass: 0.2 }] as const;
    return { ...letterRow(id, []), passes };
  });
  const letters = { order: "fixed", rotations: 1 } as const;
  const text = renderHeadline([named(makeRun(traces, rows, { ...DECISION, letters }))]);
  expect(text).toContain("warning: run: the letters hold 20.0% of the probability; letters stand");
  expect(text).toContain("in a fixed order, and one is picked +80.0 points off an even fifth");
  expect(renderHeadline([named(testRun())])).not.toContain("letters");
});
