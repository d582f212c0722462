import { parentPort, workerData } from "node:worker_threads";
import { SteerError } from "../../core/errors.ts";
import { type JobRunner, type JobSource, openJobRunner } from "./job.ts";
import type { FromWorker, ToWorker, WorkerFailure } from "./worker-thread.ts";

// A worker thread: one session, one job after another. The main thread's side is worker-thread.ts.

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function describeFailure(error: unknown): WorkerFailure {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof SteerError ? { code: error.code, message } : { code: null, message };
}

async function work(runner: JobRunner, message: ToWorker): Promise<void> {
  if (message.kind === "close") {
    await runner.close();
    parentPort?.close();
    return;
  }
  const stop = new Int32Array(message.stop);
  try {
    await runner.run(
      message.job,
      (event) => tell({ kind: "event", event }),
      () => Atomics.load(stop, 0) !== 0,
    );
    tell({ kind: "done" });
  } catch (error) {
    tell({ kind: "failed", failure: describeFailure(error) });
  }
}

try {
  const runner = await openJobRunner(workerData as JobSource);
  parentPort?.on("message", (message: ToWorker) => void work(runner, message));
  tell({ kind: "ready" });
} catch (error) {
  tell({ kind: "failed", failure: describeFailure(error) });
}
