import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Trace } from "../../src/core/trace.ts";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { makeSplit } from "../../src/data/split.ts";
import type { ScenarioSet, Split } from "../../src/data/types.ts";
import type { EvaluateOptions, ReadoutOptions } from "../../src/eval/options.ts";
import { actBaseline } from "../../src/model/baseline.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeFamily } from "../support/traces.ts";

export const GENERATIVE: ReadoutOptions = {
  readout: "generative",
  samples: 1,
  temperature: 0,
  topP: 1,
  maxTokens: 64,
};

export const DECISION: ReadoutOptions = { readout: "decision", order: "trace", rotations: 1 };

export interface Loaded {
  readonly set: ScenarioSet;
  readonly split: Split;
  readonly traces: ReadonlyMap<string, Trace>;
}

/** A set of so many families and its split, half of it in test; `order` shuffles the file. */
export async function loadFamilies(
  families: number,
  { order = (traces: Trace[]) => traces } = {},
): Promise<Loaded> {
  const traces = Array.from({ length: families }, (_, number) => makeFamily(number)).flat();
  const file = join(temporaryFolder(), "set.jsonl");
  writeFileSync(
    file,
    order([...traces])
      .map((trace) => `${JSON.stringify(trace)}\n`)
      .join(""),
  );
  const set = await loadScenarioSet(file);
  onTestFinished(() => set.close());
  const { split } = await makeSplit(set, { test: 0.5, seed: "1", near: false });
  return { set, split, traces: new Map(traces.map((trace) => [trace.id, trace])) };
}

/** Options for a run into a new folder; any can be replaced. */
export function optionsFor(
  { set, split }: Loaded,
  changes: Partial<EvaluateOptions> = {},
): EvaluateOptions {
  return {
    set,
    split,
    model: actBaseline(),
    readout: GENERATIVE,
    seed: "1",
    out: join(temporaryFolder(), "run"),
    ...changes,
  };
}
