import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBuilder } from "../../src/graph/graph-builder.ts";
import { openSession } from "../../src/train/session.ts";
import { train } from "../../src/train/train.ts";
import { answeringModel, ROLLOUTS } from "./answering.ts";
import { makeJob, makeModel, STILL, stopAfter } from "./support.ts";

test("a trace that is too long is named before anything is trained", async () => {
  const model = await makeModel({ max_position_embeddings: 350 });
  const job = await makeJob({ model });
  const failed = train(job, STILL);
  await expect(failed).rejects.toMatchObject({ code: "impossible" });
  await expect(failed).rejects.toThrow(
    /reads 350 tokens[\s\S]+\n {2}t-\d-\d: \d+ of the prompt and/,
  );
  // Nothing was made, so the folder is free for a run that can be.
  const better = await makeJob({ out: job.out });
  expect((await train(better, STILL)).rows).toHaveLength(3);
});

test("rl counts the longest answer that it allows", async () => {
  const rollouts = { ...ROLLOUTS, maxTokens: 900 };
  const job = await makeJob({ method: "rl", model: await answeringModel(), rollouts });
  await expect(train(job, STILL)).rejects.toThrow("and 900 of its answer");
});

test("a loss that is no number ends the run, names step and traces, and keeps what was before", async () => {
  const job = await makeJob({ length: { steps: 60 }, learningRate: 10, warmUp: 0, lora: null });
  const broken = { ...job, header: { ...job.header, learningRate: 1e30 } };
  const failed = train(broken, STILL);
  await expect(failed).rejects.toMatchObject({ code: "impossible" });
  await expect(failed).rejects.toThrow(
    /step 2 \(t-\d-\d, t-\d-\d\): the (loss|gradient's length) is NaN; train anew with a lower --learning-rate; what 1 of 60 steps made is kept/,
  );
  expect(existsSync(join(job.out, "checkpoint-1"))).toBe(true);
});

test("a stop in the middle of a step keeps the steps before it", async () => {
  let asked = 0;
  const model = await answeringModel();
  const job = await makeJob({ method: "rl", model, rollouts: ROLLOUTS, length: { steps: 9 } });
  // Asked once before each step and once for each token of its answers.
  const watch = { ...STILL, isStopped: () => asked++ > 40 };
  const failed = train(job, watch);
  await expect(failed).rejects.toMatchObject({ code: "interrupted" });
  await expect(failed).rejects.toThrow(
    /stopped; what \d of 9 steps made is kept; go on with --resume/,
  );
  const { rows } = await train({ ...job, resume: true }, STILL);
  expect(rows.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a stop before the first step leaves a run that can be begun with --resume", async () => {
  const job = await makeJob();
  await expect(train(job, stopAfter(0))).rejects.toThrow(
    "no step was made yet; go on with --resume",
  );
  expect((await train({ ...job, resume: true }, STILL)).rows).toHaveLength(3);
});

test.each([true, false])(
  "memory that does not suffice is said in words (kept: %s)",
  async (keepsMemory) => {
    const graph = makeBuilder();
    const size = graph.input("size", [1], { type: "int64" });
    graph.output("zeros", graph.node("Expand", [graph.float(0), size], ["n"]));
    const session = await openSession(graph.encode(), { threads: 1, keepsMemory });
    const huge = { type: "int64", data: BigInt64Array.of(1n << 50n), dims: [1] } as const;
    await expect(session.run({ size: huge })).rejects.toMatchObject({ code: "impossible" });
    await expect(session.run({ size: huge })).rejects.toThrow("out of memory");
    await session.close();
  },
);
