import { openBaseModel } from "./base-model.ts";
import type { Closable, Training, TrainJob, TrainWatch } from "./job.ts";
import { trainDecision } from "./methods/decision.ts";
import { trainHead } from "./methods/head.ts";
import { trainRl } from "./methods/rl.ts";
import { trainSft } from "./methods/sft.ts";
import type { MetricsRow } from "./metrics-row.ts";
import { openTrainingFolder } from "./training-folder.ts";

/** What a training run left. */
export interface TrainResult {
  /** Whether it was finished before, so that nothing was done. */
  readonly wasFinished: boolean;
  /** All rows of its metrics, earlier processes' included. */
  readonly rows: readonly MetricsRow[];
}

/**
 * Trains in the calling thread, which stands still during each call of the graph.
 *
 * @throws SteerError `interrupted` once the watch says so, with what was made kept; `impossible`
 *   for traces that are too long, a loss that is no number, or too little memory; whatever opening
 *   the model and the folder throws
 */
export async function train(job: TrainJob, watch: TrainWatch): Promise<TrainResult> {
  const base = openBaseModel(job.model);
  const opened: Closable[] = [];
  const keep = <T extends Closable>(each: T): T => {
    opened.push(each);
    return each;
  };
  try {
    const folder = await openTrainingFolder(job.out, job.header, job.resume);
    try {
      if (!folder.isFinished) await runMethod({ job, base, folder, watch, keep });
      return { wasFinished: folder.isFinished, rows: folder.log.rows };
    } finally {
      for (const each of opened) await each.close();
      folder.close();
    }
  } finally {
    base.weights.close();
  }
}

function runMethod(training: Training): Promise<void> {
  const { method, rollouts } = training.job.header;
  switch (method) {
    case "sft":
      return trainSft(training);
    case "rl":
      if (rollouts === null) throw new Error("a header of rl has rollouts");
      return trainRl(training, rollouts);
    case "decision":
      return trainDecision(training);
    case "head":
      return trainHead(training);
  }
}
