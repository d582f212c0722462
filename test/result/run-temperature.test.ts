import { expect, test } from "vitest";
import { runMetrics } from "../../src/result/metrics.ts";
import type { Run } from "../../src/result/run-read.ts";
import type { RunHeader } from "../../src/result/run-schema.ts";
import { fitRunTemperature } from "../../src/result/run-temperature.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { testRun, trainRun } from "./calibration-run.ts";
import { HASH, letterRow, makeRun, runTrace } from "./support.ts";

/*
 * Every figure with more than three decimals comes from plain Python: letters told from the sha256
 * of the id, exp and log of the math module, golden-section search for the temperature.
 */

test("fits on the probabilities averaged over letter orders, as worked out independently", () => {
  const fit = fitRunTemperature(trainRun(), testRun());
  expect(fit).toMatchObject({ stop: "minimum", counted: 6, impossible: 0 });
  expect(fit.temperature).toBeCloseTo(1.228299178, 7);
  expect(fit.lossBefore).toBeCloseTo(1.5296458833735675, 12);
  expect(fit.lossAfter).toBeCloseTo(1.52559649831028, 12);
});

test("shows raw figures and the calibrated ones beside them, as worked out independently", () => {
  const run = testRun();
  const { decision } = runMetrics(run, undefined, fitRunTemperature(trainRun(), run));
  expect(decision?.logLoss.mean).toBeCloseTo(1.4545370829506015, 12);
  expect(decision?.brier).toBeCloseTo(0.7406817130391906, 12);
  expect(decision?.calibration).toMatchObject({ bins: 10, equalWidth: { counted: 6 } });
  expect(decision?.calibration.equalWidth.ece).toBeCloseTo(0.2005193847027894, 12);
  expect(decision?.calibration.equalMass.ece).toBeCloseTo(0.4482643429266437, 12);
  const tempered = decision?.tempered;
  expect(tempered?.logLoss.mean).toBeCloseTo(1.4646392824974181, 8);
  expect(tempered?.brier).toBeCloseTo(0.7431154775922284, 8);
  expect(tempered?.calibration.equalWidth.ece).toBeCloseTo(0.1525451562214792, 8);
  expect(tempered?.calibration.equalMass.ece).toBeCloseTo(0.44005624183403524, 8);
});

test("prices choose from the same probabilities, as worked out independently", () => {
  const run = testRun();
  const { decision } = runMetrics(run, undefined, fitRunTemperature(trainRun(), run));
  const { likeliest, priced, breakEven } = decision?.choices ?? {};
  const share = (rate = { numerator: 0, denominator: 0 }) => {
    return `${rate.numerator}/${rate.denominator}`;
  };
  for (const figures of [likeliest, priced?.["symmetric"]]) {
    expect(share(figures?.accuracy)).toBe("2/7");
    expect(share(figures?.prematureAction)).toBe("2/5");
    expect(share(figures?.missedAction)).toBe("1/2");
    expect(figures).toMatchObject({ noChoice: 1, changed: 0 });
    expect(figures?.rewards["symmetric"]).toBeCloseTo(0.2714285714285714, 12);
    expect(figures?.rewards["asymmetric"]).toBeCloseTo(-0.10714285714285714, 12);
  }
  const careful = priced?.["asymmetric"];
  expect(share(careful?.accuracy)).toBe("2/7");
  expect(share(careful?.prematureAction)).toBe("0/5");
  expect(share(careful?.missedAction)).toBe("2/2");
  expect(careful).toMatchObject({ noChoice: 1, changed: 3 });
  expect(careful?.rewards["symmetric"]).toBeCloseTo(0.2714285714285714, 12);
  expect(careful?.rewards["asymmetric"]).toBeCloseTo(0.14285714285714285, 12);
  expect(decision?.tempered?.choices.priced["asymmetric"]).toEqual(careful);
  expect(breakEven).toEqual({ symmetric: 0.5, asymmetric: 8 / 13 });
});

test("says where the temperature comes from", () => {
  const train = trainRun();
  const { from } = fitRunTemperature(train, testRun());
  expect(from).toMatchObject({
    run: "runs/train",
    model: "scripted:s.jsonl",
    part: "train",
    set: "d",
    split: "5".repeat(64),
    letters: { order: "trace", rotations: 2 },
    situations: train.header.situations,
    traces: 6,
    missing: 0,
  });
  const changed = { ...train, answers: train.answers.slice(1) };
  const other = fitRunTemperature(changed, testRun()).from;
  expect(other.answers).not.toBe(from.answers);
  expect(other.missing).toBe(1);
});

const refusals: readonly (readonly [string, Run, Run, RegExp])[] = [
  [
    "a run of the test side",
    trainRun({ split: { digest: "5".repeat(64), part: "test" } }),
    testRun(),
    /split\.part: runs\/train is of the test side, not of train/,
  ],
  ["the run itself", trainRun(), trainRun(), /traces: both runs hold r-1, .*r-5 and 1 more/],
  [
    "a run of another split",
    trainRun({ split: { digest: HASH, part: "train" } }),
    testRun(),
    /split\.digest: runs\/train "0123.*, runs\/test "5555/,
  ],
  [
    "a run on another set",
    trainRun({ set: { name: "test", digest: "e" } }),
    testRun(),
    /set\.digest: runs\/train "e", runs\/test "d"/,
  ],
  [
    "another prompt",
    trainRun({ prompt: { version: "1", template: "1".repeat(64) } }),
    testRun(),
    /prompt\.template/,
  ],
  [
    "another count of letter orders",
    trainRun({ letters: { order: "trace", rotations: 5 } }),
    testRun(),
    /letters\.rotations: runs\/train 5, runs\/test 2/,
  ],
  [
    "another model",
    trainRun({ model: model({ files: { "s.jsonl": "1".repeat(64) } }) }),
    testRun(),
    /model\.files\.s\.jsonl/,
  ],
  [
    "another precision",
    trainRun({ model: model({ dtype: "fp16" }) }),
    testRun(),
    /model\.dtype: runs\/train "fp16", runs\/test null/,
  ],
  [
    "a model without files under another name",
    trainRun({ model: model({ files: {}, spec: "http://h/v1#a" }) }),
    testRun({ model: model({ files: {}, spec: "http://h/v1#b" }) }),
    /model\.spec: runs\/train "http:\/\/h\/v1#a"/,
  ],
];

function model(changes: Partial<RunHeader["model"]>): RunHeader["model"] {
  return { ...testRun().header.model, ...changes };
}

test.each(refusals)("refuses %s", (_, train, run, message) => {
  expect(() => fitRunTemperature(train, run)).toThrow(message);
  expect(() => fitRunTemperature(train, run)).toThrow(/with --part train/);
});

test("refuses runs of written answers, on either side, and names that cause alone", () => {
  const written = makeRun([runTrace("r-1", "ACT")], [], { path: "runs/written" });
  const text = /runs\/written is a generative run, which has no probabilities/;
  expect(() => fitRunTemperature(written, testRun())).toThrow(text);
  expect(() => fitRunTemperature(trainRun(), written)).toThrow(text);
  expect(() => fitRunTemperature(trainRun(), written)).not.toThrow(/prompt|letters/);
});

test("lists everything that keeps two runs apart at once", () => {
  const train = trainRun({ seed: "2", set: { name: "test", digest: "e" } });
  const other = { ...train, header: { ...train.header, split: { digest: HASH, part: "test" } } };
  expect(() => fitRunTemperature(other as Run, testRun())).toThrow(
    /split\.part.*set\.digest.*split\.digest/s,
  );
});

test("takes a model by its files, wherever its folder lies, and any seed, limit and speed", () => {
  const moved = model({ spec: "scripted:/elsewhere/s.jsonl", name: "scripted:/elsewhere/s.jsonl" });
  const train = trainRun({ model: moved, seed: "2", limit: 6, workers: 2, threads: 2 });
  expect(fitRunTemperature(train, testRun()).counted).toBe(6);
});

test("leaves out answers without probabilities, and refuses when none is left", () => {
  const train = trainRun();
  const broken = letterRow("r-1", [-1, Number.NaN, -2, -3, -4], { rotations: 2 });
  const answers = [broken, ...train.answers.slice(1)];
  const fit = fitRunTemperature({ ...train, answers }, testRun());
  expect(fit).toMatchObject({ counted: 5, from: { traces: 6, missing: 1 } });
  for (const none of [[broken], []]) {
    expect(() => fitRunTemperature({ ...train, answers: none }, testRun())).toThrow(
      /runs\/train: has no answer to fit a temperature on/,
    );
  }
});

test("without a temperature there are raw figures only, under any schemes asked for", () => {
  const bold = { ...SCHEMES.symmetric, name: "bold" };
  const { decision } = runMetrics(testRun(), [bold]);
  expect(decision?.tempered).toBeNull();
  expect(Object.keys(decision?.choices.priced ?? {})).toEqual(["bold"]);
});
