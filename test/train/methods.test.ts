import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { readAdapterConfig } from "../../src/graph/adapter/adapter-config.ts";
import { readDecoderConfig } from "../../src/graph/decoder/config.ts";
import { PROJECTIONS } from "../../src/graph/decoder/parameters.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { openBaseModel } from "../../src/train/base-model.ts";
import { readAdapter } from "../../src/train/start.ts";
import { summarize } from "../../src/train/summary.ts";
import { train } from "../../src/train/train.ts";
import { answeringModel, ROLLOUTS } from "./answering.ts";
import { loadShort, makeJob, STILL } from "./support.ts";

/** The course of a run's loss, without its result. */
async function lossOf(changes: Parameters<typeof makeJob>[0]) {
  const job = await makeJob(changes);
  const { rows } = await train(job, STILL);
  expect(rows.filter(({ part }) => part === "train")).toHaveLength(job.header.steps);
  const { loss } = summarize(rows);
  return { first: loss?.first ?? 0, last: loss?.last ?? 0, out: job.out, rows };
}

test("sft: an adapter's loss falls, and it is written as PEFT writes it", async () => {
  const { first, last, out } = await lossOf({ method: "sft", length: { steps: 30 } });
  expect(last).toBeLessThan(first - 1);
  const content = JSON.parse(readFileSync(join(out, "adapter_config.json"), "utf8")) as unknown;
  expect(readAdapterConfig(content, "adapter")).toEqual({
    rank: 8,
    alpha: 16,
    targets: PROJECTIONS,
  });
});

test("sft: the whole model's loss falls, and it is written as a model folder", async () => {
  const { first, last, out } = await lossOf({ method: "sft", lora: null, length: { steps: 30 } });
  expect(last).toBeLessThan(first - 3);
  const base = openBaseModel(out);
  base.weights.close();
  expect(base.tokenizer.encode("WAIT").length).toBeGreaterThan(0);
});

test("decision: the letters' loss falls below chance, and every pick is counted", async () => {
  // The situations say nothing, so only a label that is always right can be learned.
  const traces = await loadShort(Array.from({ length: 9 }, () => "WAIT" as const));
  const changes = { ...traces, batch: 4, length: { steps: 80 } };
  const { first, last, rows } = await lossOf({ method: "decision", ...changes });
  expect(first).toBeGreaterThan(1);
  expect(last).toBeLessThan(0.6);
  const { outcomes, readableShare } = rows.at(-1) ?? {};
  expect(outcomes).toMatchObject({ correct: 4, wrong: 0, unreadable: 0 });
  expect(readableShare).toBe(1);
});

test("head: the loss falls while the model stays, and the result is a model with its own head", async () => {
  const { first, last, out } = await lossOf({
    method: "head",
    batch: 15,
    learningRate: 3e-2,
    length: { steps: 60 },
  });
  expect(last).toBeLessThan(first - 0.05);
  const content = JSON.parse(readFileSync(join(out, "config.json"), "utf8")) as unknown;
  expect(readDecoderConfig(content, "config.json").isTied).toBe(false);
});

test("rl: the reward of a model that answers rises, from an adapter or as a whole", async () => {
  const traces = await loadShort(Array.from({ length: 9 }, () => "ASK" as const));
  const model = await answeringModel();
  const whole = { lora: null, learningRate: 2e-3 };
  for (const changes of [whole, { learningRate: 5e-3 }]) {
    const job = await makeJob({
      ...traces,
      method: "rl",
      model,
      ...changes,
      batch: 2,
      length: { steps: 30 },
      rollouts: ROLLOUTS,
    });
    const { reward } = summarize((await train(job, STILL)).rows);
    expect(reward?.last).toBeGreaterThan((reward?.first ?? 0) + 0.2);
  }
});

test("rl: two schemes of one request make different adapters, each named in its header", async () => {
  const traces = await loadShort([...LABELS, ...LABELS]);
  const model = await answeringModel();
  const run = async (scheme: keyof typeof SCHEMES) => {
    const rollouts = { ...ROLLOUTS, scheme: SCHEMES[scheme] };
    const job = await makeJob({ ...traces, method: "rl", model, rollouts });
    await train(job, STILL);
    expect(job.header.rollouts?.scheme.name).toBe(scheme);
    const base = openBaseModel(model);
    base.weights.close();
    return [...readAdapter(job.out, base.config).tensors.values()].map((numbers) => [...numbers]);
  };
  expect(await run("symmetric")).not.toEqual(await run("asymmetric"));
});

test("validation is looked at before the first step, at checkpoints and after the last", async () => {
  const { rows } = await lossOf({
    method: "sft",
    validation: 5,
    length: { steps: 5 },
    saveEvery: 2,
  });
  const looks = rows.filter(({ part }) => part === "validation").map(({ step }) => step);
  expect(looks).toEqual([0, 2, 4, 5]);
});
