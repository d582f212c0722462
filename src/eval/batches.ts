import type { Trace } from "../core/trace.ts";
import type { RowKey } from "../result/run-row.ts";

/** An answer to ask for. */
export interface Task {
  readonly trace: Trace;
  readonly key: RowKey;
}

/** Every answer of these traces, trace by trace. */
export function tasksOf(traces: readonly Trace[], samples: number): Task[] {
  return traces.flatMap((trace) =>
    Array.from({ length: samples }, (_, sample) => ({ trace, key: { id: trace.id, sample } })),
  );
}

/** Traces asked at once: few, so that a kill loses little. */
const TRACES = 16;
const ANSWERS = 128;

/**
 * Cuts tasks into what is asked at once, in their order; never fewer than there are workers.
 */
export function inBatches(tasks: readonly Task[], workers: number): Task[][] {
  const batches: Task[][] = [];
  let traces = new Set<Trace>();
  for (const task of tasks) {
    const last = batches.at(-1);
    traces.add(task.trace);
    const isFull =
      traces.size > Math.max(TRACES, workers) || (last?.length ?? 0) >= Math.max(ANSWERS, workers);
    if (last && !isFull) last.push(task);
    else {
      batches.push([task]);
      traces = new Set([task.trace]);
    }
  }
  return batches;
}
