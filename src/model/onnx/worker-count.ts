import { availableParallelism } from "node:os";

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
  const need = COPIES_PER_WORKER * weightBytes + BYTES_BESIDE_WEIGHTS;
  const workers = Math.max(1, Math.min(cores, Math.floor(freeBytes / need)));
  return { workers, threads: Math.max(1, Math.floor(cores / workers)) };
}
