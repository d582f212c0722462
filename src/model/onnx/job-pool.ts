import { SteerError } from "../../core/errors.ts";
import type { Job, JobEvent, JobSource } from "./job.ts";
import { type JobThread, openOwnThread } from "./job-thread.ts";
import { startWorkerThread } from "./worker-thread.ts";

/** Threads that share out jobs; see {@link runJobs}. */
export interface JobPool {
  run(jobs: readonly Job[], follow: Follow, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** How the jobs of one run are followed, by their index. */
export interface Follow {
  readonly onEvent: (job: number, event: JobEvent) => void;
  readonly onFailure: (job: number, message: string) => void;
}

/**
 * Loads the model once for each worker.
 *
 * @param workers threads of their own; 0 for the calling thread, which then stands still during
 * each call
 */
export async function openJobPool(source: JobSource, workers: number): Promise<JobPool> {
  const threads = workers === 0 ? [await openOwnThread(source)] : await startAll(source, workers);
  return {
    run: (jobs, follow, signal) => runJobs(threads, jobs, follow, signal),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/**
 * Runs all jobs, each on the next free thread. A job that fails with anything but a SteerError is
 * reported to `onFailure`, and the others go on.
 *
 * @throws SteerError `interrupted` once the signal is aborted, after the calls that are running;
 * any other SteerError of a job; what `onEvent` throws
 */
export async function runJobs(
  threads: readonly JobThread[],
  jobs: readonly Job[],
  { onEvent, onFailure }: Follow,
  signal?: AbortSignal,
): Promise<void> {
  const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const errors: unknown[] = [];
  const end = (error: unknown) => {
    errors.push(error);
    Atomics.store(new Int32Array(stop), 0, 1);
  };
  const onAbort = () => end(new SteerError("interrupted", "the model was stopped"));
  let next = 0;
  const pull = async (thread: JobThread) => {
    while (next < jobs.length && errors.length === 0 && thread.isAlive()) {
      const index = next++;
      const emit = (event: JobEvent) => {
        // It runs inside a thread's listener, where nothing would catch it.
        try {
          onEvent(index, event);
        } catch (error) {
          end(error);
        }
      };
      try {
        await thread.run(jobs[index] as Job, emit, stop);
      } catch (error) {
        if (error instanceof SteerError) end(error);
        else onFailure(index, error instanceof Error ? error.message : String(error));
      }
    }
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  await Promise.all(threads.map(pull));
  signal?.removeEventListener("abort", onAbort);
  if (errors.length > 0) throw errors[0];
  if (next < jobs.length) throw new Error("all model workers have ended");
}

async function startAll(source: JobSource, workers: number): Promise<JobThread[]> {
  const starts = await Promise.allSettled(
    Array.from({ length: workers }, () => startWorkerThread(source)),
  );
  const failed = starts.find((start) => start.status === "rejected");
  const threads = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  if (!failed) return threads;
  await Promise.all(threads.map((thread) => thread.close()));
  throw failed.reason;
}
