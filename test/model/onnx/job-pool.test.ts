import { expect, test } from "vitest";
import { SteerError } from "../../../src/core/errors.ts";
import type { Job, JobEvent } from "../../../src/model/onnx/job.ts";
import { runJobs } from "../../../src/model/onnx/job-pool.ts";
import { type JobThread, makeQueue } from "../../../src/model/onnx/job-thread.ts";

/** Jobs that differ by one number only, which their events repeat. */
const JOBS = Array.from({ length: 6 }, (_, i): Job => {
  return { kind: "continue", joint: { ids: [i], from: 1, merged: false } };
});
const SCORES = { logprobs: [], letterMass: 0 };

function numberOf(job: Job): number {
  return job.kind === "continue" ? (job.joint.ids[0] as number) : -1;
}

/** A thread that does what `work` does with each job. */
function thread(work: (job: number, isStopped: () => boolean) => Promise<void>): JobThread {
  let alive = true;
  return {
    async run(job, emit, stop) {
      const item = numberOf(job);
      try {
        await work(item, () => new Int32Array(stop)[0] !== 0);
      } catch (error) {
        alive = !(error instanceof RangeError);
        throw error;
      }
      emit({ kind: "scored", item, scores: SCORES });
    },
    isAlive: () => alive,
    close: async () => {},
  };
}

/** Runs the jobs and lists what was told of them. */
async function follow(threads: JobThread[], onEvent = (_: JobEvent) => {}, signal?: AbortSignal) {
  const done: number[] = [];
  const failed: [number, string][] = [];
  const run = runJobs(
    threads,
    JOBS,
    {
      onEvent(job, event) {
        onEvent(event);
        done.push(job);
      },
      onFailure: (job, message) => failed.push([job, message]),
    },
    signal,
  );
  return { done, failed, run };
}

const idle = () => Promise.resolve();

test("every job runs once, however many threads there are", async () => {
  for (const count of [1, 2, 9]) {
    const { done, run } = await follow(Array.from({ length: count }, () => thread(idle)));
    await run;
    expect(done.sort()).toEqual([0, 1, 2, 3, 4, 5]);
  }
});

test("a job that fails is told, and the others go on", async () => {
  const broken = thread(async (job) => {
    if (job === 2) throw new Error("out of memory");
  });
  const { done, failed, run } = await follow([broken]);
  await run;
  expect([done, failed]).toEqual([[0, 1, 3, 4, 5], [[2, "out of memory"]]]);
});

test("a thread that has died takes no further jobs; without any left the run fails", async () => {
  const dying = () =>
    thread(async () => {
      throw new RangeError("died");
    });
  const { done, failed, run } = await follow([dying(), thread(idle)]);
  await run;
  expect([done.length, failed]).toEqual([5, [[0, "died"]]]);
  const alone = await follow([dying()]);
  await expect(alone.run).rejects.toThrow("all model workers have ended");
});

test("a SteerError ends the run, and the other threads see the flag", async () => {
  const flags: boolean[] = [];
  const threads = [
    thread(async () => {
      throw new SteerError("invalid", "token id -1");
    }),
    thread(async (_, isStopped) => {
      await new Promise(setImmediate);
      flags.push(isStopped());
    }),
  ];
  const { run } = await follow(threads);
  await expect(run).rejects.toMatchObject({ code: "invalid" });
  expect(flags).toEqual([true]);
});

test("what a listener throws ends the run with it", async () => {
  let events = 0;
  const { done, run } = await follow([thread(idle)], () => {
    events++;
    if (events === 3) throw new Error("disk full");
  });
  await expect(run).rejects.toThrow("disk full");
  expect(done).toEqual([0, 1]);
});

test("an aborted signal ends the run as interrupted, before or between jobs", async () => {
  const before = await follow([thread(idle)], undefined, AbortSignal.abort());
  await expect(before.run).rejects.toMatchObject({ code: "interrupted" });
  expect(before.done).toEqual([]);
  const controller = new AbortController();
  const between = await follow([thread(idle)], () => controller.abort(), controller.signal);
  await expect(between.run).rejects.toMatchObject({ code: "interrupted" });
  expect(between.done).toEqual([0]);
});

test("a queue runs tasks in turn and goes on behind one that fails", async () => {
  const inTurn = makeQueue();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
    if (name === "a") throw new Error("a fails");
  };
  const first = inTurn(task("a"));
  const second = inTurn(task("b"));
  await expect(first).rejects.toThrow("a fails");
  await second;
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});
