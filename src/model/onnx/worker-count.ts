import { availableParallelism } from "node:os";
import { SteerError } from "../../core/errors.ts";

/** Workers and the threads inside each one's calls. */
export interface WorkerPlan {
  readonly workers: number;
  readonly threads: number;
}

/**
 * A loaded model takes about its weights' size, and while it loads, or reads long prompts, up to
 * as much again.
 */
const COPIES_PER_WORKER = 2;
const BYTES_BESIDE_WEIGHTS = 256 * 2 ** 20;

/**
 * One worker for each core, with one thread: several whole calls side by side use the cores better
 * than one call spread over them. Where memory holds fewer copies of the weights, fewer workers
 * share the cores.
 */
export function planWorkers(
  weightBytes: number,
  cores = availableParallelism(),
  freeBytes = process.availableMemory(),
): WorkerPlan {
  const workers = Math.max(1, Math.min(cores, Math.floor(freeBytes / bytesPerWorker(weightBytes))));
  return { workers, threads: Math.max(1, Math.floor(cores / workers)) };
}

/**
 * So many workers as were asked for, with one thread each.
 *
 * @throws SteerError `impossible` for more than memory holds: the machine would stop answering
 */
export function fixWorkers(
  workers: number,
  weightBytes: number,
  freeBytes = process.availableMemory(),
): WorkerPlan {
  const most = Math.floor(freeBytes / bytesPerWorker(weightBytes));
  if (workers > 1 && workers > most) {
    const need = (bytesPerWorker(weightBytes) / 2 ** 30).toFixed(1);
    const fit = most < 2 ? "one fits" : `${most} fit`;
    throw new SteerError(
      "impossible",
      `${workers} workers take up to ${need} GiB each; ${fit} into the free memory`,
    );
  }
  return { workers, threads: 1 };
}

function bytesPerWorker(weightBytes: number): number {
  return COPIES_PER_WORKER * weightBytes + BYTES_BESIDE_WEIGHTS;
}
