import { Worker } from "node:worker_threads";
import { type ErrorCode, SteerError } from "../../core/errors.ts";
import type { Job, JobEvent, JobSource } from "./job.ts";
import { type JobThread, makeQueue } from "./job-thread.ts";

/** What the main thread sends; one job at a time. */
export type ToWorker =
  | { readonly kind: "job"; readonly job: Job; readonly stop: SharedArrayBuffer }
  | { readonly kind: "close" };

/** What a worker sends back: first `ready` or `failed`, then events and an end for each job. */
export type FromWorker =
  | { readonly kind: "ready" | "done" }
  | { readonly kind: "event"; readonly event: JobEvent }
  | { readonly kind: "failed"; readonly failure: WorkerFailure };

/** An error on its way between threads; the code of a SteerError, null for any other. */
export interface WorkerFailure {
  readonly code: ErrorCode | null;
  readonly message: string;
}

/**
 * The worker's program. Threads run JavaScript only: run from its TypeScript source (by vitest, for
 * example), this module takes the built file, so `npm run build` comes first.
 */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/model/onnx/worker.js" : "./worker.js",
  import.meta.url,
);

/**
 * Starts a thread and loads the model in it.
 *
 * @throws SteerError as for opening a session
 */
export async function startWorkerThread(source: JobSource): Promise<JobThread> {
  const worker = new Worker(PROGRAM, { workerData: source, execArgv: [] });
  let onMessage: (message: FromWorker) => void = () => {};
  let onDeath: (error: Error) => void = () => {};
  let death: Error | null = null;
  const die = (error: Error) => {
    death ??= error;
    onDeath(death);
  };
  worker.on("message", (message: FromWorker) => onMessage(message));
  worker.on("error", die);
  worker.on("exit", (code) => die(new Error(`a model worker ended with code ${code}`)));

  /** Waits for the message that ends what was begun. */
  const answer = (emit: (event: JobEvent) => void) =>
    new Promise<void>((resolve, reject) => {
      if (death !== null) return reject(death);
      onDeath = reject;
      onMessage = (message) => {
        if (message.kind === "event") emit(message.event);
        else if (message.kind === "failed") reject(revive(message.failure));
        else resolve();
      };
    });

  try {
    await answer(() => {});
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  worker.unref();
  const inTurn = makeQueue();
  return {
    run: (job, emit, stop) =>
      inTurn(async () => {
        // An idle model must not keep a program alive that forgets to close it.
        worker.ref();
        const ended = answer(emit);
        worker.postMessage({ kind: "job", job, stop } satisfies ToWorker);
        await ended.finally(() => worker.unref());
      }),
    isAlive: () => death === null,
    close: () =>
      inTurn(async () => {
        if (death !== null) return;
        const exited = new Promise((resolve) => worker.once("exit", resolve));
        worker.ref();
        worker.postMessage({ kind: "close" } satisfies ToWorker);
        await exited;
      }),
  };
}

function revive({ code, message }: WorkerFailure): Error {
  return code === null ? new Error(message) : new SteerError(code, message);
}
