import { Worker } from "node:worker_threads";
import { type ErrorCode, SteerError } from "../core/errors.ts";
import type { TrainJob } from "./job.ts";
import type { TrainResult } from "./train.ts";

/** What the worker is started with. */
export interface ToTrainer {
  readonly job: TrainJob;
  /** Once its first number is not 0, the run ends before its next call of the graph. */
  readonly stop: SharedArrayBuffer;
}

/** What it sends back: progress, and in the end one of the others. */
export type FromTrainer =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "done"; readonly result: TrainResult }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

/**
 * The worker's program. Threads run JavaScript only: run from its TypeScript source (by vitest, for
 * example), this module takes the built file, so `npm run build` comes first.
 */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/train/worker.js" : "./worker.js",
  import.meta.url,
);

/** How a run in a worker is followed and stopped. */
export interface Following {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Trains in a thread of its own, so that this one can show progress and take signals meanwhile.
 *
 * @throws SteerError as for training in the calling thread; `interrupted` once the signal is
 *   aborted, after the call that is running
 */
export async function trainInWorker(
  job: TrainJob,
  { signal, onProgress }: Following = {},
): Promise<TrainResult> {
  const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const onAbort = () => Atomics.store(new Int32Array(stop), 0, 1);
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const worker = new Worker(PROGRAM, {
    workerData: { job, stop } satisfies ToTrainer,
    execArgv: [],
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.on("message", (message: FromTrainer) => {
        if (message.kind === "progress") onProgress?.(message.done, message.total);
        else if (message.kind === "done") resolve(message.result);
        else reject(new SteerError(message.code, message.message));
      });
      worker.on("error", (error: NodeJS.ErrnoException) => reject(explain(error, job.out)));
      worker.on("exit", (code) => reject(new Error(`the training thread ended with code ${code}`)));
    });
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}

function explain(error: NodeJS.ErrnoException, out: string): Error {
  if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") return error;
  const message = `${out}: out of memory; what the last checkpoint holds is kept`;
  return new SteerError("impossible", `${message}; go on with --resume`, { cause: error });
}
