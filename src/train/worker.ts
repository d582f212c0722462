import { parentPort, workerData } from "node:worker_threads";
import { SteerError } from "../core/errors.ts";
import { train } from "./train.ts";
import type { FromTrainer, ToTrainer } from "./train-in-worker.ts";

// A worker thread that trains once. The main thread's side is train-in-worker.ts.

const { job, stop } = workerData as ToTrainer;
const flag = new Int32Array(stop);

function tell(message: FromTrainer): void {
  parentPort?.postMessage(message);
}

try {
  const result = await train(job, {
    isStopped: () => Atomics.load(flag, 0) !== 0,
    onProgress: (done, total) => tell({ kind: "progress", done, total }),
    now: () => performance.now() / 1000,
  });
  tell({ kind: "done", result });
} catch (error) {
  if (!(error instanceof SteerError)) throw error;
  tell({ kind: "failed", code: error.code, message: error.message });
}
