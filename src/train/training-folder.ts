import { existsSync } from "node:fs";
import { join } from "node:path";
import { SteerError } from "../core/errors.ts";
import { systemReason } from "../data/file-error.ts";
import { makeFolder } from "../data/make-folder.ts";
import { writeFileAtomic } from "../data/write-file.ts";
import { lockRun } from "../result/run-lock.ts";
import {
  type Checkpoint,
  loadCheckpoint,
  removeCheckpoints,
  saveCheckpoint,
} from "./checkpoint.ts";
import {
  HEADER_FILE,
  headerText,
  readTrainHeader,
  requireSameTraining,
  type TrainHeader,
} from "./header.ts";
import { METRICS_FILE, type MetricsLog, openMetricsLog, readMetrics } from "./metrics-log.ts";
import type { MetricsRow } from "./metrics-row.ts";
import type { OptimizerState } from "./optimizer.ts";
import type { Trainable } from "./trainable.ts";

/** The folder of a training run, opened for writing by this process alone. */
export interface TrainingFolder {
  readonly path: string;
  /** Whether the result is there already. */
  readonly isFinished: boolean;
  /** Where an earlier process left off; null at the beginning. */
  readonly checkpoint: Checkpoint | null;
  readonly log: MetricsLog;
  /** Keeps where the run stands, so that it can be gone on with from there. */
  save(step: number, trainable: Trainable, optimizer: OptimizerState): Promise<void>;
  /** Writes the result, and removes what was only for going on. */
  finish(step: number, trainable: Trainable): Promise<void>;
  /** Lets other writers in. */
  close(): void;
}

/** Says that the result is whole: it is written last. */
const FINISHED_FILE = "finished.json";

/**
 * Begins a training run in a folder, or goes on with the one that is there. One that has made
 * nothing yet is begun anew.
 *
 * @param resume go on where a run stands; without one, begin it
 * @throws SteerError `state` for a run that exists without `resume` or is being written, `mismatch`
 *   naming each field in which the stored header differs, `invalid`, `unreadable`, `unwritable`
 */
export async function openTrainingFolder(
  path: string,
  header: TrainHeader,
  resume: boolean,
): Promise<TrainingFolder> {
  const release = lock(path);
  try {
    const isFinished = existsSync(join(path, FINISHED_FILE));
    const rows = await readMetrics(path);
    const isBegun = isFinished || rows.length > 0;
    const stored = isBegun ? await readTrainHeader(path) : null;
    if (stored === null) await writeFileAtomic(join(path, HEADER_FILE), headerText(header));
    else if (resume) requireSameTraining(path, stored, header);
    else {
      const message = `${path}: a training run is stored here already`;
      throw new SteerError("state", `${message}. Add --resume to go on, or name another folder.`);
    }
    if (isFinished) requireAllSteps(path, rows, header);
    const checkpoint = await loadCheckpoint(path, header);
    const step = isFinished ? header.steps : (checkpoint?.step ?? 0);
    return {
      path,
      isFinished,
      checkpoint,
      log: await openMetricsLog(path, step),
      save: (at, trainable, optimizer) =>
        saveCheckpoint(path, at, { trainable, optimizer, header }),
      async finish(at, trainable) {
        await trainable.writeResult(path);
        const text = JSON.stringify({ version: 1, step: at });
        await writeFileAtomic(join(path, FINISHED_FILE), `${text}\n`);
        await removeCheckpoints(path);
      },
      close: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** A result whose course is lost would read as one that took no steps. */
function requireAllSteps(path: string, rows: readonly MetricsRow[], { steps }: TrainHeader): void {
  const told = rows.filter(({ part }) => part === "train").length;
  if (told === steps) return;
  const message = `${join(path, METRICS_FILE)}: tells of ${told} of the ${steps} steps of this finished run`;
  throw new SteerError("invalid", `${message}. Restore it, or delete ${path} to train anew.`);
}

function lock(path: string): () => void {
  try {
    makeFolder(path);
    return lockRun(path);
  } catch (error) {
    if (error instanceof SteerError) throw error;
    const message = `${path}: no folder can be made there: ${systemReason(error)}`;
    throw new SteerError("unwritable", message, { cause: error });
  }
}
