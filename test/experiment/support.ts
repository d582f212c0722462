import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LABELS } from "../../src/core/intervention.ts";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { makeSplit } from "../../src/data/split.ts";
import { writeSplit } from "../../src/data/split-file.ts";
import { temporaryFolder } from "../support/cli.ts";
import { makeTrace } from "../support/traces.ts";
import { makeModel } from "../train/support.ts";

const TRAINING = {
  limit: 4,
  epochs: 1,
  batch: 2,
  learningRate: 1e-2,
  warmUp: 1,
  saveEvery: 1,
};

const ROLLOUTS = {
  from: "sft",
  scheme: "symmetric",
  samples: 2,
  temperature: 1,
  maxTokens: 4,
  divideBy: "group",
};

/** An experiment with all six arms and the control, as its file holds it, small enough for a test. */
export const SMALL = {
  version: 1,
  about: "A random model.",
  set: "set.jsonl",
  split: "split.json",
  model: "model",
  seeds: ["0"],
  threads: 1,
  adapter: { rank: 2, alpha: 4, targets: ["q_proj"] },
  evaluation: { maxTokens: 4, rotations: 2 },
  arms: [
    { name: "written", method: "none", readout: "generative" },
    { name: "letters", method: "none", readout: "decision" },
    { name: "sft", method: "sft", ...TRAINING },
    { name: "rl-asymmetric", method: "rl", ...TRAINING, ...ROLLOUTS, scheme: "asymmetric" },
    { name: "rl-symmetric", method: "rl", ...TRAINING, ...ROLLOUTS },
    { name: "head", method: "head", ...TRAINING },
    { name: "decision", method: "decision", ...TRAINING },
  ],
};

/** Writes an experiment beside its set, its split and a random model; any part can be replaced. */
export async function writeExperiment(changes: Partial<typeof SMALL> = {}): Promise<string> {
  const folder = join(temporaryFolder(), "experiment");
  mkdirSync(folder);
  await makeModel({}, join(folder, "model"));
  const traces = [...LABELS, ...LABELS].map((label, k) =>
    makeTrace({
      id: `s-${k}`,
      family: `f-${k}`,
      task: `Go on with ${k}.`,
      memory: [],
      observation: "Done.",
      label,
      rationale: "So.",
    }),
  );
  const file = join(folder, "set.jsonl");
  writeFileSync(file, traces.map((trace) => `${JSON.stringify(trace)}\n`).join(""));
  const set = await loadScenarioSet(file);
  const { split } = await makeSplit(set, { test: 5, seed: "1", near: false });
  set.close();
  await writeSplit(join(folder, "split.json"), split);
  const path = join(folder, "experiment.json");
  writeFileSync(path, JSON.stringify({ ...SMALL, ...changes }));
  return path;
}
