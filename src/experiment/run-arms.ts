import { SteerError } from "../core/errors.ts";
import type { ScenarioSet, Split } from "../data/types.ts";
import { evaluate } from "../eval/evaluate.ts";
import { failureText } from "../eval/failures.ts";
import { modelWarnings } from "../eval/model-warnings.ts";
import type { ReadoutOptions } from "../eval/options.ts";
import { openModel } from "../model/spec.ts";
import { trainSide } from "../model/train-side.ts";
import { repairText } from "../result/torn-row.ts";
import type { Readout } from "../task/prompt.ts";
import { planTraining } from "../train/plan.ts";
import { trainInWorker } from "../train/train-in-worker.ts";
import { type Arm, armsOf } from "./arms.ts";
import type { Experiment } from "./experiment-file.ts";
import { planArms } from "./plan-arms.ts";
import { trainRequest } from "./train-request.ts";

/** How an experiment is run. */
export interface RunArmsOptions {
  readonly set: ScenarioSet;
  readonly split: Split;
  /** Folder of all arms. */
  readonly out: string;
  /** sha256 of the parity vectors that the scorer was checked against. */
  readonly vectors: string;
  readonly signal: AbortSignal;
  /** Tells people what they should know. */
  readonly note: (text: string) => void;
  /** Shows how a piece of work goes, called by its name. */
  readonly follow: <T>(
    work: string,
    run: (onProgress: (done: number, total: number) => void) => Promise<T>,
  ) => Promise<T>;
}

/**
 * Checks everything first, then makes every arm that is missing or not whole: trains it, and
 * evaluates it on the test side. What is there already is gone on with, or left as it is.
 *
 * @throws SteerError `mismatch` for what was made under other conditions, `interrupted` once the
 *   signal is aborted (everything made so far is kept), `state` when answers failed, and what
 *   planning, training and evaluating throw
 */
export async function runArms(experiment: Experiment, options: RunArmsOptions): Promise<void> {
  const { out, signal } = options;
  await options.follow("check", () => planArms(experiment, options));
  for (const arm of armsOf(experiment, out)) {
    try {
      await trainArm(arm, experiment, options);
      await evaluateArm(arm, experiment, options);
    } catch (error) {
      throw inOurWords(error, arm);
    }
    if (signal.aborted) throw stoppedAt(arm);
  }
}

/** Training and evaluating name options of their own commands, which this one does not have. */
function inOurWords(error: unknown, arm: Arm): unknown {
  if (!(error instanceof SteerError)) return error;
  if (error.code === "interrupted") return stoppedAt(arm, error);
  if (error.code !== "mismatch") return error;
  const fix = `To make ${arm.title} anew, delete ${arm.folder}, and the rl arms that go on from it.`;
  return new SteerError("mismatch", `${error.message}\n${fix}`, { cause: error });
}

function stoppedAt({ title }: Arm, cause?: SteerError): SteerError {
  const message = `stopped at ${title}; everything made is kept, and the same command goes on`;
  return new SteerError("interrupted", message, { cause });
}

async function trainArm(
  { spec, seed, title }: Arm,
  experiment: Experiment,
  { set, split, out, signal, follow }: RunArmsOptions,
): Promise<void> {
  if (spec === null || spec.method === "none" || seed === null) return;
  const job = await planTraining({ ...trainRequest(experiment, spec, { seed, out }), set, split });
  await follow(`train ${title}`, (onProgress) => trainInWorker(job, { signal, onProgress }));
}

async function evaluateArm(
  arm: Arm,
  experiment: Experiment,
  { set, split, vectors, signal, note, follow }: RunArmsOptions,
): Promise<void> {
  const splitFile = experiment.split;
  const { model: spec, adapter } = modelOf(arm, experiment);
  const fitted = () => trainSide(set, split, splitFile);
  const model = await openModel(spec, fitted, { adapter });
  try {
    const readout = readoutOptions(arm.readout, experiment);
    const common = {
      set,
      split,
      splitFile,
      model,
      readout,
      vectors,
      signal,
      seed: arm.seed ?? "0",
    };
    for (const warning of modelWarnings(model.describe())) note(`${warning}\n`);
    const { repair, failures } = await follow(`evaluate ${arm.title}`, (onProgress) =>
      evaluate({ ...common, out: arm.folder, resume: true, onProgress }),
    );
    if (repair) note(`${arm.folder}: ${repairText(repair)}\n`);
    if (failures.length > 0) {
      throw new SteerError("state", `${arm.folder}: ${failureText(failures).trimEnd()}`);
    }
  } finally {
    await model.close();
  }
}

/** The model that an arm evaluates, as `eval` would name it. */
function modelOf(
  { spec, folder }: Arm,
  { model }: Experiment,
): { readonly model: string; readonly adapter?: string } {
  switch (spec?.method) {
    case undefined:
      return { model: "baseline:words" };
    case "none":
      return { model: `hf:${model}` };
    case "head":
      return { model: `hf:${folder}` };
    default:
      return { model: `hf:${model}`, adapter: folder };
  }
}

function readoutOptions(readout: Readout, { evaluation }: Experiment): ReadoutOptions {
  const { rotations, maxTokens } = evaluation;
  return readout === "decision"
    ? { readout, order: "trace", rotations }
    : { readout, samples: 1, temperature: 0, topP: 1, maxTokens };
}
