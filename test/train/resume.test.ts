import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import type { TrainRequest } from "../../src/train/plan.ts";
import { train } from "../../src/train/train.ts";
import { answeringModel, ROLLOUTS } from "./answering.ts";
import { bytesOf, loadShort, makeJob, STILL, stopAfter } from "./support.ts";

const WHOLE = { lora: null, length: { steps: 5 } } as const;

/** Each method with the file of its result. */
const RUNS: readonly (readonly [string, Partial<TrainRequest>, string])[] = [
  ["sft", { method: "sft", validation: 5, saveEvery: 2 }, "adapter_model.safetensors"],
  ["sft of a whole model", { method: "sft", ...WHOLE }, "model.safetensors"],
  ["decision", { method: "decision", length: { steps: 5 } }, "adapter_model.safetensors"],
  ["head", { method: "head", length: { steps: 5 } }, "model.safetensors"],
  ["rl", { method: "rl", rollouts: ROLLOUTS, length: { steps: 4 } }, "adapter_model.safetensors"],
];

test.each(RUNS)(
  "%s: same seed, same bytes; stopped and resumed too; another seed, others",
  async (_, changes, file) => {
    const traces = changes.method === "rl" ? await loadShort([...LABELS, ...LABELS]) : {};
    const model = changes.method === "rl" ? { model: await answeringModel() } : {};
    const once = await makeJob({ ...changes, ...traces, ...model });
    const runs = { ...changes, ...traces, model: once.model };
    await train(once, STILL);
    const whole = bytesOf(once.out, file);
    const metrics = bytesOf(once.out, "metrics.jsonl");

    const halted = await makeJob(runs);
    // Reading the model for a head counts as progress, too.
    const read = changes.method === "head" ? halted.train.length : 0;
    await expect(train(halted, stopAfter(read + 2))).rejects.toMatchObject({ code: "interrupted" });
    expect(existsSync(join(halted.out, "checkpoint-2"))).toBe(true);
    expect(existsSync(join(halted.out, file))).toBe(false);
    await train({ ...halted, resume: true }, STILL);
    expect(bytesOf(halted.out, file) === whole).toBe(true);
    expect(bytesOf(halted.out, "metrics.jsonl")).toBe(metrics);
    expect(readdirSync(halted.out).filter((name) => name.includes("checkpoint"))).toEqual([]);

    const other = await makeJob({ ...runs, seed: "2" });
    await train(other, STILL);
    expect(bytesOf(other.out, file) === whole).toBe(false);
  },
);

test("rows that a killed process logged after its checkpoint are made again", async () => {
  const job = await makeJob({ length: { steps: 4 } });
  await expect(train(job, stopAfter(2))).rejects.toMatchObject({ code: "interrupted" });
  const kept = bytesOf(job.out, "metrics.jsonl");
  const [first = ""] = kept.split("\n");
  const later = first.replace('"step":1', '"step":3');
  writeFileSync(join(job.out, "metrics.jsonl"), `${kept}${later}\n{"step":4,"pa`);
  // A checkpoint that was only half written is none.
  mkdirSync(join(job.out, ".checkpoint-3"));
  const { rows } = await train({ ...job, resume: true }, STILL);
  expect(rows.map(({ step }) => step)).toEqual([1, 2, 3, 4]);
  expect(readdirSync(job.out).sort()).toEqual([
    "adapter_config.json",
    "adapter_model.safetensors",
    "finished.json",
    "metrics.jsonl",
    "train.json",
  ]);
});

test("a finished run is left as it is, and is not begun again without --resume", async () => {
  const job = await makeJob();
  await train(job, STILL);
  await expect(train(job, STILL)).rejects.toThrow("Add --resume to go on");
  const again = await train({ ...job, resume: true }, STILL);
  expect(again).toMatchObject({ wasFinished: true, rows: { length: 3 } });
});

test("a run goes on under the same conditions only, and from an unchanged checkpoint only", async () => {
  const job = await makeJob({ length: { steps: 4 } });
  await expect(train(job, stopAfter(1))).rejects.toMatchObject({ code: "interrupted" });
  const header = { ...job.header, learningRate: 1, threads: 2 };
  await expect(train({ ...job, header, resume: true }, STILL)).rejects.toThrow(
    /learningRate: stored 0.01, now 1\n {2}threads: stored 1, now 2/,
  );
  const file = join(job.out, "checkpoint-1", "adapter_model.safetensors");
  writeFileSync(
    file,
    bytesOf(job.out, "checkpoint-1/adapter_model.safetensors").slice(0, -1),
    "latin1",
  );
  await expect(train({ ...job, resume: true }, STILL)).rejects.toThrow(
    "adapter_model.safetensors changed since it was written",
  );
});
