import type { Job, JobEvent, JobSource } from "./job.ts";
import { openJobRunner } from "./job.ts";

/** A session that runs jobs, one after another. */
export interface JobThread {
  /**
   * @param stop a shared flag; once its first number is not 0, the job ends before its next call
   * @throws SteerError `interrupted` after that; any error of the job
   */
  run(job: Job, emit: (event: JobEvent) => void, stop: SharedArrayBuffer): Promise<void>;
  /** Whether it can still run jobs. */
  isAlive(): boolean;
  close(): Promise<void>;
}

/** Runs asynchronous tasks one after another, in the order in which they come. */
export function makeQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}

/** The calling thread as a job thread: it stands still during each call of the graph. */
export async function openOwnThread(source: JobSource): Promise<JobThread> {
  const runner = await openJobRunner(source);
  const inTurn = makeQueue();
  return {
    run: (job, emit, stop) => {
      const flag = new Int32Array(stop);
      return inTurn(() => runner.run(job, emit, () => Atomics.load(flag, 0) !== 0));
    },
    isAlive: () => true,
    close: () => inTurn(() => runner.close()),
  };
}
