import type { Trace } from "../core/trace.ts";
import type { ScenarioSet, Split } from "../data/types.ts";
import { requireVerified } from "../data/verify.ts";
import { loraShapes } from "../graph/decoder/lora.ts";
import { countAll } from "../graph/shape.ts";
import { decimal, renderTable } from "../result/table.ts";
import { LETTERS } from "../task/letters.ts";
import { type BaseModel, openBaseModel } from "../train/base-model.ts";
import { stepsOf } from "../train/batches.ts";
import { encodeAnswers, encodeChoices, encodePrompts } from "../train/examples.ts";
import { chooseTraces } from "../train/plan.ts";
import { readoutOf } from "./arms.ts";
import type { Experiment, TrainedArmSpec } from "./experiment-file.ts";

/** What training an arm would come to, under each seed alike. */
export interface PlannedArm {
  readonly name: string;
  readonly method: TrainedArmSpec["method"];
  readonly traces: number;
  readonly steps: number;
  /** Numbers that are trained. */
  readonly trainable: number;
  /** Of a prompt, and of the answer to be learned where there is one. */
  readonly meanTokens: number;
  readonly longestTokens: number;
}

/**
 * Checks what can be checked before an experiment is run: set and split, the model's folder, its
 * shapes, and that each trace of both sides fits, its longest answer included. Writes nothing.
 *
 * @throws SteerError as training would before its first step; `impossible` for a test trace with
 *   too long a prompt, or an answer that the context would cut short
 */
export async function planArms(
  experiment: Experiment,
  { set, split }: { readonly set: ScenarioSet; readonly split: Split },
): Promise<PlannedArm[]> {
  const trained = experiment.arms.filter((each) => each.method !== "none");
  const base = openBaseModel(experiment.model);
  try {
    const { split: splitFile, seeds } = experiment;
    const seed = seeds[0] ?? "";
    const all = { set, split, splitFile, validation: 0, limit: null, seed };
    const { train } = await chooseTraces(all);
    const traces = train.map((position) => set.readTrace(position));
    const { test } = await requireVerified(set, split, { file: splitFile });
    requireRoom(
      base,
      experiment,
      test.map((position) => set.readTrace(position)),
    );
    return trained.map((spec): PlannedArm => {
      const own = traces.slice(0, spec.limit ?? undefined);
      const lengths = lengthsOf(base, spec, own);
      return {
        name: spec.name,
        method: spec.method,
        traces: own.length,
        steps: stepsOf(own.length, spec.epochs, spec.batch),
        trainable: trainableOf(base, experiment, spec),
        meanTokens: lengths.reduce((sum, each) => sum + each, 0) / lengths.length,
        longestTokens: Math.max(...lengths),
      };
    });
  } finally {
    base.weights.close();
  }
}

/** The plan as a table. */
export function renderPlan(planned: readonly PlannedArm[]): string {
  return renderTable(
    ["arm", "method", "traces", "steps", "trainable", "mean tokens", "longest"],
    planned.map((each) => [
      each.name,
      each.method,
      String(each.traces),
      String(each.steps),
      String(each.trainable),
      decimal(each.meanTokens, 1),
      String(each.longestTokens),
    ]),
  );
}

/** Refuses what evaluating would fail at, or cut short without a word. */
function requireRoom(base: BaseModel, { arms, evaluation }: Experiment, test: Trace[]): void {
  const readouts = new Set(arms.map(readoutOf));
  if (readouts.has("generative")) encodePrompts(base, test, evaluation.maxTokens);
  if (readouts.has("decision")) encodeChoices(base, test);
}

function lengthsOf(base: BaseModel, spec: TrainedArmSpec, traces: readonly Trace[]): number[] {
  switch (spec.method) {
    case "sft":
      return encodeAnswers(base, traces).map(({ prompt, answer }) => prompt.length + answer.length);
    case "rl":
      return encodePrompts(base, traces, spec.maxTokens).map(({ prompt }) => prompt.length);
    case "decision":
    case "head":
      return encodeChoices(base, traces).examples.map(({ prompt }) => prompt.length);
  }
}

function trainableOf({ config }: BaseModel, { adapter }: Experiment, spec: TrainedArmSpec): number {
  if (spec.method === "head") return LETTERS.length * config.hidden;
  return countAll(loraShapes(config, adapter));
}
