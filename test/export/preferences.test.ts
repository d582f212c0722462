import { join } from "node:path";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { makeSplit } from "../../src/data/split.ts";
import { runExport } from "../../src/export/export.ts";
import type { ExportRequest } from "../../src/export/request.ts";
import { templateHash } from "../../src/task/prompt.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { jsonAnswer, makeRun, runTrace, textRow } from "../result/support.ts";
import { temporaryFolder } from "../support/cli.ts";
import { loadTraces, makeFamilies, makeSource, readLines } from "./support.ts";

async function exportPairs(changes: Partial<ExportRequest> = {}) {
  const source = await makeSource(26);
  const request = { ...source, kind: "preferences", ...changes } as const;
  const { files } = await runExport(request);
  const [file] = files;
  if (!file?.pairs) throw new Error("no pairs");
  return { file, pairs: file.pairs, rows: readLines(join(request.outDir, file.name)), source };
}

const answerOf = (value: unknown) => (value as { content: string }[])[0]?.content ?? "";

test("by default each label is chosen and rejected equally often, and words tell nothing", async () => {
  const { file, pairs } = await exportPairs();
  expect(file.rows).toBe(120);
  for (const label of LABELS) {
    const chosen = Object.values(pairs.flow[label]).reduce((a, b) => a + b, 0);
    const rejected = LABELS.reduce((sum, gold) => sum + pairs.flow[gold][label], 0);
    expect(Math.abs(chosen - rejected)).toBeLessThanOrEqual(1);
  }
  expect(pairs.wordTest?.accuracy).toBeLessThanOrEqual(0.55);
  expect(pairs.types).toEqual({ premature: 24, over_hold: 24, confusion: 72 });
  expect(pairs.skips).toEqual([]);
});

test("the flow in the manifest is that of the rows", async () => {
  const { pairs, rows } = await exportPairs();
  const flow = Object.fromEntries(
    LABELS.map((gold) => [
      gold,
      Object.fromEntries([...LABELS, "none"].map((label) => [label, 0])),
    ]),
  ) as Record<string, Record<string, number>>;
  for (const { chosen, rejected } of rows) {
    const [gold, other] = [chosen, rejected].map(
      (value) => JSON.parse(answerOf(value)).intervention,
    );
    (flow[gold] as Record<string, number>)[other] = (flow[gold]?.[other] ?? 0) + 1;
  }
  expect(pairs.flow).toEqual(flow);
});

test("margins come from the scheme asked for", async () => {
  const margins = (rows: readonly Record<string, unknown>[]) =>
    [...new Set(rows.map(({ margin }) => margin as number))].sort();
  expect(margins((await exportPairs()).rows)).toEqual([1, 1.25, 2]);
  expect(margins((await exportPairs({ scheme: SCHEMES.symmetric })).rows)).toEqual([1]);
});

test("kinds asked for are pairs of their own, in any order of asking", async () => {
  const { pairs, rows } = await exportPairs({ negatives: ["cut_off", "balanced", "malformed"] });
  expect(pairs.pairs).toBe(360);
  expect(pairs.types).toMatchObject({ malformed: 120, cut_off: 120 });
  const again = await exportPairs({ negatives: ["malformed", "cut_off", "balanced"] });
  expect(again.rows).toEqual(rows);
});

test("Tinker comparisons have the chosen answer on either side equally often, without a pattern", async () => {
  const { rows } = await exportPairs({ format: "tinker" });
  const sides = rows.map(({ label }) => label).join("");
  expect(sides.replaceAll("B", "")).toHaveLength(60);
  expect(sides).not.toMatch(/(AB){12}|(BA){12}/);
  for (let k = 0; k < sides.length; k += 2) expect(["AB", "BA"]).toContain(sides.slice(k, k + 2));
});

test("KTO rows have both answers of each pair, siblings never side by side", async () => {
  const { file, rows } = await exportPairs({ format: "kto" });
  expect(rows.filter(({ label }) => label === true)).toHaveLength(120);
  expect(rows.filter(({ label }) => label === false)).toHaveLength(120);
  expect(file.siblingNeighbours).toBe(0);
  const tasks = rows.map(({ prompt }) => JSON.stringify(prompt).match(/Task of family \d+/)?.[0]);
  expect(tasks.filter((task, k) => task === tasks[k - 1])).toEqual([]);
});

test("with single traces held out, no text of a test trace reaches a train pair", async () => {
  const traces = makeFamilies(26).map((trace) => ({ ...trace, rationale: `Fact ${trace.id}.` }));
  const set = await loadTraces(traces);
  const { split } = await makeSplit(set, { test: 40, by: "trace", seed: "0" });
  const outDir = join(temporaryFolder(), "out");
  const { files } = await runExport({ set, split, kind: "preferences", outDir });
  const used = readLines(join(outDir, "train.jsonl")).flatMap(({ chosen, rejected }) =>
    [chosen, rejected].map((value) => JSON.parse(answerOf(value)).reason as string),
  );
  const held = new Set(split.test.map((id) => `Fact ${id}.`));
  expect(used.filter((reason) => held.has(reason))).toEqual([]);
  expect(files[0]?.pairs?.wordTest?.accuracy).toBeLessThanOrEqual(0.55);
});

test("pairs mined from a run are typed and counted, and every skip is listed", async () => {
  const { set, split, outDir } = await makeSource();
  const [first = "", second = ""] = split.train;
  const asked = [first, second, ...split.test];
  const traces = set.heads
    .filter(({ id }) => asked.includes(id))
    .map((head) => runTrace(head.id, head.label, head));
  const run = makeRun(
    traces,
    traces.flatMap(({ id, gold }) => [
      textRow(id, jsonAnswer(gold), { sample: 0 }),
      textRow(id, "no idea", { sample: 1 }),
    ]),
    {
      prompt: { version: "1", template: templateHash("generative") },
      set: { name: set.name, digest: set.digest },
      samples: 2,
    },
  );
  const manifest = await runExport({ set, split, kind: "preferences", outDir, from: [run] });
  const pairs = manifest.files[0]?.pairs;
  expect(pairs?.types).toEqual({ mined_unreadable: 2 });
  expect(pairs?.skipped).toEqual({ no_answer: split.train.length - 2 });
  expect(pairs?.skips).toHaveLength(split.train.length - 2);
  expect(manifest.preferences?.runs).toHaveLength(1);
  expect(manifest.preferences?.negatives).toEqual([]);
});
