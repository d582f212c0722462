import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCurves } from "../../src/report/curves.ts";
import { makeReport } from "../../src/report/report.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeTraces, writingRun } from "./support.ts";

function folderWith(lines: readonly string[]): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "metrics.jsonl"), lines.map((line) => `${line}\n`).join(""));
  return folder;
}

const ROWS = [
  '{"step": 10, "loss": 1.5, "train/correct": 0.3, "train/premature_act": 0.4, "note": "warm"}',
  '{"step": 0, "loss": 2.5, "train/correct": 0.2, "train/premature_act": 0.5, "loss_is": null}',
];

test("a run without metrics.jsonl has no curves", async () => {
  expect(await readCurves(temporaryFolder())).toEqual([]);
});

test("every numeric field becomes a series in order of steps, and nothing else does", async () => {
  const curves = await readCurves(folderWith(ROWS));
  expect(curves.map(({ name }) => name)).toEqual(["loss", "train/correct", "train/premature_act"]);
  expect(curves[0]?.points).toEqual([
    { step: 0, value: 2.5 },
    { step: 10, value: 1.5 },
  ]);
});

test("fields that hold several numbers are a series each, and validation is apart from training", async () => {
  const row = (part: string, step: number, correct: number) =>
    JSON.stringify({ part, step, loss: correct / 4, outcomes: { correct, wrong: 8 - correct } });
  const lines = [row("validation", 0, 1), row("train", 1, 2), row("validation", 1, 4)];
  const curves = await readCurves(folderWith(lines));
  expect(curves.map(({ name, points }) => [name, points.length])).toEqual([
    ["validation/loss", 2],
    ["validation/outcomes/correct", 2],
    ["validation/outcomes/wrong", 2],
    ["loss", 1],
    ["outcomes/correct", 1],
    ["outcomes/wrong", 1],
  ]);
  const { drawings } = makeReport([{ run: writingRun(makeTraces(2)), curves }]);
  const titles = drawings
    .filter(({ name }) => name.startsWith("curves-"))
    .map(({ title }) => title);
  expect(titles).toEqual([
    "validation/loss of writing over training steps",
    "outcomes, validation of writing over training steps",
    "loss of writing over training steps",
    "outcomes of writing over training steps",
  ]);
});

test("a step that was trained again keeps its last value", async () => {
  const [curve] = await readCurves(folderWith(['{"step": 1, "a": 1}', '{"step": 1, "a": 2}']));
  expect(curve?.points).toEqual([{ step: 1, value: 2 }]);
});

test("faulty lines are refused with file and line", async () => {
  const folder = folderWith(['{"step": "one"}', "{"]);
  await expect(readCurves(folder)).rejects.toThrow(/metrics\.jsonl:1: step.*\n.*metrics\.jsonl:2/);
});

test("outcomes share a chart, a line for each, and other series have their own", async () => {
  const run = writingRun(makeTraces(2));
  const { drawings } = makeReport([{ run, curves: await readCurves(folderWith(ROWS)) }]);
  const charts = drawings.filter(({ name }) => name.startsWith("curves-"));
  expect(charts.map(({ title }) => title)).toEqual([
    "loss of writing over training steps",
    "outcomes, train of writing over training steps",
  ]);
  expect(charts[1]?.description).toBe(
    "train/correct: from 0.2 to 0.3. train/premature_act: from 0.5 to 0.4.",
  );
  expect(charts[1]?.inline).toContain('stroke="var(--premature_act)"');
});

test("a long series is drawn as means of neighbouring steps, to its end", async () => {
  const lines = Array.from({ length: 60 }, (_, at) =>
    JSON.stringify({ step: at + 1, loss: at % 3 }),
  );
  const curves = await readCurves(folderWith(lines));
  const { drawings, page } = makeReport([{ run: writingRun(makeTraces(2)), curves }]);
  const chart = drawings.find(({ name }) => name.startsWith("curves-"));
  expect(chart?.description).toBe("loss: from 1 to 1.");
  expect(page).toContain("mean of neighbouring steps");
});

test("a single step is drawn, too", async () => {
  const run = writingRun(makeTraces(2));
  const curves = await readCurves(folderWith(['{"step": 3, "loss": 1}']));
  for (const { inline } of makeReport([{ run, curves }]).drawings)
    expect(inline).not.toContain("NaN");
});
