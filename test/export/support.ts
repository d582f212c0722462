import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Trace } from "../../src/core/trace.ts";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { makeSplit } from "../../src/data/split.ts";
import type { ScenarioSet, Split } from "../../src/data/types.ts";
import type { ExportRecord } from "../../src/export/record-schema.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeFamily } from "../support/traces.ts";

/** Families of five; each trace's tempting label is ACT, or ASK where ACT is right. */
export function makeFamilies(count: number): Trace[] {
  return Array.from({ length: count }, (_, number) =>
    makeFamily(number).map((trace): Trace => {
      const label = trace.label === "ACT" ? "ASK" : "ACT";
      return { ...trace, tempting: { label, rationale: `It seems so in case ${number}.` } };
    }),
  ).flat();
}

/** A set with these traces, loaded from a file that the test removes. */
export async function loadTraces(traces: readonly Trace[]): Promise<ScenarioSet> {
  const path = join(temporaryFolder(), "traces.jsonl");
  writeFileSync(path, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(""));
  const set = await loadScenarioSet(path);
  onTestFinished(() => set.close());
  return set;
}

/** A set of whole families, split by family, with a folder to export into. */
export async function makeSource(families = 12): Promise<{
  readonly set: ScenarioSet;
  readonly split: Split;
  readonly outDir: string;
}> {
  const set = await loadTraces(makeFamilies(families));
  const { split } = await makeSplit(set, { test: 10, seed: "0", near: false });
  return { set, split, outDir: join(temporaryFolder(), "out") };
}

/** The records of a JSONL file. */
export function readLines(path: string): ExportRecord[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as ExportRecord);
}
