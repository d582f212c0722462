import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { compareRuns } from "../../src/result/compare.ts";
import { runMetrics } from "../../src/result/metrics.ts";
import { renderComparison } from "../../src/result/render-compare.ts";
import { renderDetails, renderMetrics } from "../../src/result/render-metrics.ts";
import { points, renderTable } from "../../src/result/table.ts";
import { seedAnswers } from "./seed-answers.ts";
import { DECISION, jsonAnswer, letterRow, makeRun, runTrace, textRow } from "./support.ts";

const raw = seedAnswers();
const traces = raw.map(({ id, gold }) => runTrace(id, gold));
const baseline = makeRun(
  traces,
  raw.map(({ id, answer }) => textRow(id, answer)),
  { path: "runs/zero-shot" },
);

test("a table lines its columns up and has no space at the end of a line", () => {
  expect(
    renderTable(
      ["arm", "n"],
      [
        ["a", "10"],
        ["longer", "9"],
      ],
    ),
  ).toBe(["arm      n", "------  --", "a       10", "longer   9", ""].join("\n"));
});

test("differences carry a sign, and one that rounds to nothing does not", () => {
  expect([0.04, -0.0312, 0.0001, -0.0001, 0, null].map(points)).toEqual([
    "+4.0",
    "-3.1",
    "0.0",
    "0.0",
    "0.0",
    "n/a",
  ]);
});

test("shows the baseline's figures with counts and intervals, and the floor beside them", () => {
  const text = renderMetrics([{ name: "zero-shot", model: "tiny", metrics: runMetrics(baseline) }]);
  expect(text).toContain("accuracy                  11.0%  11 of 100   6.3% to 18.6%");
  expect(text).toContain("ACT lean                  78.8%   26 of 33  62.2% to 89.3%");
  expect(text).toContain("valid JSON                 0.0%   0 of 100");
  expect(text).toMatch(/^always ACT +100 +24\.0%$/m);
  expect(text).toContain("baseline:words is not among these runs");
  expect(text).toContain("format gap (lenient minus strict accuracy): +11.0 points");
});

test("E09: what was never observed is n/a, nowhere 0%, NaN or a whole interval", () => {
  const run = makeRun([runTrace("a", "ACT")], [textRow("a", jsonAnswer("ACT"))]);
  const text = renderDetails(runMetrics(run));
  expect(text).toMatch(/^premature-action rate +n\/a +0 of 0 +n\/a$/m);
  const empty = renderMetrics([{ name: "none", model: "m", metrics: runMetrics(makeRun([], [])) }]);
  for (const each of [text, empty]) expect(each).not.toMatch(/NaN|Infinity|undefined|null/);
});

test("shows the probability side of a decision run", () => {
  const rows = raw.map(({ id }) => letterRow(id, [-0.5, -1.5, -2.5, Number.NEGATIVE_INFINITY, -4]));
  const text = renderDetails(runMetrics(makeRun(traces, rows, DECISION)));
  expect(text).toMatch(/^negative log-likelihood +infinite$/m);
  expect(text).toMatch(/^without the infinite ones +\d/m);
  expect(text).toMatch(/^\d+ gold labels had probability 0$/m);
  expect(text).toMatch(/^calibration error, 10 bins of equal width +0\.\d{3}$/m);
  expect(text).toMatch(/^calibration error, 10 bins of equal mass +0\.\d{3}$/m);
  expect(text).toMatch(/^A +100\.0% +100 of 100 /m);
  expect(text).toContain("farthest from an even fifth of picks: +80.0 points");
  expect(text).toContain("ties without a pick: 0; near ties within 0.01 nats: 0; not finite: 0");
  expect(text).not.toMatch(/NaN|undefined|null/);
});

test("shows every pair of arms, and flags an interval of no width", () => {
  const always = (path: string) =>
    makeRun(
      traces,
      raw.map(({ id }) => textRow(id, jsonAnswer("ACT"))),
      { path },
    );
  const runs = [baseline, always("runs/act"), always("runs/act-too")];
  const text = renderComparison(compareRuns(runs, { seed: "1", resamples: 200 }));
  expect(text).toContain("100 answers to 100 traces of 100 families are shared by all arms.");
  expect(text).toMatch(/^runs\/zero-shot -> runs\/act +\+13\.0 /m);
  expect(text).toMatch(/^runs\/act -> runs\/act-too +0\.0 +0\.0 to 0\.0 \(degenerate\)/m);
  expect(text).toContain("premature-action rate, 76 traces:");
  expect(text).toContain("always ACT: 24.0%, 24 of 100");
});

test("every label has its row in the confusion matrix", () => {
  const lines = renderDetails(runMetrics(baseline)).split("\n");
  for (const label of LABELS) {
    expect(lines.filter((line) => line.startsWith(`${label} `)).length).toBeGreaterThanOrEqual(2);
  }
});
