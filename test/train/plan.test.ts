import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { trainHeaderSchema } from "../../src/train/header.ts";
import { mergeFolder } from "../../src/train/merge.ts";
import { planTraining } from "../../src/train/plan.ts";
import { train } from "../../src/train/train.ts";
import { ROLLOUTS } from "./answering.ts";
import { makeJob, makeModel, makeRequest, STILL } from "./support.ts";

const idsOf = (traces: readonly { id: string }[]) => traces.map(({ id }) => id);

test("only traces of the train side are trained on, and a limit takes the same ones each time", async () => {
  const request = await makeRequest();
  const { train: all, header } = await planTraining(request);
  expect(idsOf(all).sort()).toEqual([...request.split.train]);
  expect(header.traces).toMatchObject({ train: 15, validation: 0 });
  const few = await planTraining({ ...request, limit: 4 });
  expect(idsOf(few.train)).toEqual(idsOf((await planTraining(request)).train).slice(0, 4));
  expect(few.header.traces.digest).not.toBe(header.traces.digest);
});

test("validation keeps whole families of the train side back", async () => {
  const request = await makeRequest({ validation: 5 });
  const job = await planTraining(request);
  expect(job.validation).toHaveLength(5);
  expect(job.train).toHaveLength(10);
  const families = new Set(job.validation.map(({ family }) => family));
  expect(job.train.filter(({ family }) => families.has(family))).toEqual([]);
  expect(idsOf([...job.train, ...job.validation]).sort()).toEqual([...request.split.train]);
});

test("a split that its set does not confirm is refused", async () => {
  const request = await makeRequest();
  const { train: side, test: held } = request.split;
  const split = { ...request.split, train: [...side, ...held.slice(0, 1)].sort() };
  await expect(planTraining({ ...request, split })).rejects.toMatchObject({ code: "unverified" });
});

test("the header is plain data of a closed schema and names model, set, split and scheme", async () => {
  const job = await makeJob({ method: "rl", rollouts: ROLLOUTS });
  expect(trainHeaderSchema.parse(JSON.parse(JSON.stringify(job.header)))).toEqual(job.header);
  expect(Object.keys(job.header.model.files)).toContain("model.safetensors");
  expect(JSON.stringify(job.header)).not.toContain(job.out);
});

test("rl goes on from a recorded checkpoint, whose hash and shape its header has", async () => {
  const first = await makeJob({ lora: { rank: 3, alpha: 5, targets: ["v_proj"] } });
  await train(first, STILL);
  const { model, out } = first;
  const changes = {
    method: "rl",
    model,
    from: out,
    rollouts: { ...ROLLOUTS, maxTokens: 2 },
  } as const;
  const job = await makeJob(changes);
  expect(job.header.trained).toMatchObject({ rank: 3, alpha: 5, targets: ["v_proj"] });
  expect(Object.keys(job.header.from?.files ?? {})).toEqual([
    "adapter_config.json",
    "adapter_model.safetensors",
  ]);
  // Nothing is learned from answers of two tokens, so the adapter comes out as it went in.
  await train(job, STILL);
  const again = await makeJob({ ...changes, from: job.out });
  const weights = (header: typeof job.header) => header.from?.files["adapter_model.safetensors"];
  expect(weights(again.header)).toBe(weights(job.header));
});

test("an adapter is not taken for that of another model", async () => {
  const job = await makeJob({ length: { steps: 1 } });
  await train(job, STILL);
  const model = await makeModel();
  writeFileSync(join(model, "generation_config.json"), '{"eos_token_id": 2}');
  const message = "trained beside another model: generation_config.json differ from --model";
  await expect(makeJob({ model, from: job.out })).rejects.toThrow(message);
  await expect(mergeFolder(job.out, model, `${job.out}-merged`)).rejects.toThrow(message);
  const wider = await makeModel({ num_attention_heads: 8 });
  await expect(makeJob({ model: wider, from: job.out })).rejects.toMatchObject({
    code: "mismatch",
  });
});
