import { setImmediate } from "node:timers/promises";
import { SteerError } from "../core/errors.ts";
import { makeBatches } from "./batches.ts";
import type { Training } from "./job.ts";
import type { StepFigures } from "./metrics-row.ts";
import { initialState, type OptimizerState } from "./optimizer.ts";
import type { Trainable } from "./trainable.ts";

/** What a method does; the loop does the rest. */
export interface MethodSteps<Example extends { readonly id: string }> {
  readonly trainable: Trainable;
  readonly examples: readonly Example[];
  /**
   * One step on a batch. When it throws, the weights and the optimizer are as they were before.
   *
   * @param step counts from 1
   */
  takeStep(
    batch: readonly Example[],
    optimizer: OptimizerState,
    step: number,
  ): Promise<StepFigures>;
  /** Looks at the validation part; null without one. */
  readonly validate: (() => Promise<StepFigures>) | null;
}

/**
 * Takes the steps that are left, logs each, keeps a checkpoint from time to time and whenever
 * something stops the run, and writes the result.
 *
 * @throws SteerError `interrupted` once the watch says so, and whatever a step throws; in both
 *   cases with everything up to the last whole step kept
 */
export async function runSteps<Example extends { readonly id: string }>(
  { job, folder, watch }: Training,
  { trainable, examples, takeStep, validate }: MethodSteps<Example>,
): Promise<void> {
  const { header } = job;
  const batchOf = makeBatches(examples, header.batch, header.seed);
  const optimizer =
    folder.checkpoint?.optimizer ?? initialState(trainable.shapes, trainable.tensors);
  let step = folder.checkpoint?.step ?? 0;

  const timed = async (work: () => Promise<StepFigures>) => {
    const begun = watch.now();
    const figures = await work();
    return { ...figures, seconds: watch.now() - begun };
  };
  const isDue = () => step % header.saveEvery === 0 || step === header.steps;
  const isLookedAt = () =>
    folder.log.rows.some((row) => row.part === "validation" && row.step === step);

  let doing = "";
  try {
    for (;;) {
      // Graphs run without a pause: only here can a signal to this thread be noticed.
      await setImmediate();
      if (watch.isStopped()) throw stopped();
      if (isDue() && validate !== null && !isLookedAt()) {
        doing = "validation";
        const figures = await timed(validate);
        await folder.log.append({ step, part: "validation", ...figures });
      }
      if (isDue() && step > 0) await folder.save(step, trainable, optimizer);
      if (step === header.steps) break;
      const batch = batchOf(step + 1);
      doing = `step ${step + 1} (${batch.map(({ id }) => id).join(", ")})`;
      const figures = await timed(() => takeStep(batch, optimizer, step + 1));
      step++;
      await folder.log.append({ step, part: "train", ...figures });
      watch.onProgress(step, header.steps);
    }
  } catch (error) {
    const kept = await keep(step, header.steps, () => folder.save(step, trainable, optimizer));
    throw explain(error, job.out, doing, kept);
  }
  await folder.finish(step, trainable);
}

/** What is thrown in the middle of a step, too, when the watch says to end. */
export function stopped(): SteerError {
  return new SteerError("interrupted", "stopped");
}

/** Saves what was made before something went wrong, and says what is kept. */
async function keep(step: number, steps: number, save: () => Promise<void>): Promise<string> {
  if (step === 0) return "no step was made yet";
  try {
    await save();
    return `what ${step} of ${steps} steps made is kept`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `only what the last checkpoint holds is kept, since no other could be written: ${reason}`;
  }
}

function explain(error: unknown, out: string, doing: string, kept: string): unknown {
  if (!(error instanceof SteerError)) return error;
  const message =
    error.code === "interrupted"
      ? `${out}: stopped; ${kept}; go on with --resume`
      : `${out}: ${doing}: ${error.message}; ${kept}`;
  return new SteerError(error.code, message, { cause: error });
}
