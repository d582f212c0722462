import { expect, test } from "vitest";
import type { Trace } from "../../src/core/trace.ts";
import { openHfModel } from "../../src/model/hf/hf-model.ts";
import type {
  GenerateRequest,
  Generation,
  LetterRequest,
  LetterScores,
} from "../../src/model/model.ts";
import { lettersAt, offsetOf } from "../../src/task/letters.ts";
import { buildPrompt, goldAnswer } from "../../src/task/prompt.ts";
import { openBaseModel } from "../../src/train/base-model.ts";
import { encodeAnswers, encodeChoices, encodePrompts } from "../../src/train/examples.ts";
import { openLogProbs } from "../../src/train/log-probs.ts";
import { mergeFolder } from "../../src/train/merge.ts";
import { openPolicy, type Policy } from "../../src/train/policy.ts";
import { openSampler } from "../../src/train/rollout.ts";
import { readAdapter } from "../../src/train/start.ts";
import { train } from "../../src/train/train.ts";
import { answeringModel } from "./answering.ts";
import { makeJob, STILL } from "./support.ts";

/** The adapter of a finished run beside its model, as training reads them. */
function reopen(model: string, adapter: string | null): Policy {
  const base = openBaseModel(model);
  base.weights.close();
  const read = adapter === null ? null : readAdapter(adapter, base.config);
  const again = openBaseModel(model);
  try {
    return openPolicy(again, read?.lora ?? null, { seed: "1", start: read?.tensors ?? null });
  } finally {
    again.weights.close();
  }
}

function letterRequests(traces: readonly Trace[]): LetterRequest[] {
  return traces.map((trace) => {
    const offset = offsetOf(trace.id);
    const messages = buildPrompt(trace, { readout: "decision", offset });
    return { id: trace.id, situation: trace, messages, letters: lettersAt(offset) };
  });
}

/** Shares of five letters' log-probabilities or logits. */
function shares(values: readonly number[]): number[] {
  const weights = values.map((value) => Math.exp(value - Math.max(...values)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function expectClose(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, k) => {
    expect(value).toBeCloseTo(expected[k] ?? Number.NaN, 4);
  });
}

test("decision: what is trained is what is measured, in the letters' order and in their shares", async () => {
  const job = await makeJob({ method: "decision", length: { steps: 10 } });
  await train(job, STILL);
  const policy = reopen(job.model, job.out);
  const { examples, letters } = encodeChoices(policy.base, job.train);
  const logProbs = await openLogProbs(policy, { threads: 1, letters, gradients: false });
  const rows = examples.map(({ prompt, target }) => {
    return { prompt, answers: [{ targets: [target], weights: [1] }] };
  });
  const { logits } = await logProbs.of(rows);
  await logProbs.close();

  const model = await openHfModel(job.model, { adapter: job.out, workers: 0 });
  const measured = (await model.scoreLetters(letterRequests(job.train))) as LetterScores[];
  await model.close();
  examples.forEach((example, k) => {
    const { offset, target, gold } = example;
    expect(lettersAt(offset)[target]).toBe(gold);
    expectClose(
      shares([...logits.subarray(5 * k, 5 * k + 5)]),
      shares([...(measured[k]?.logprobs ?? [])]),
    );
  });
});

test("head: the folder that it writes has the shares that were trained, and other tokens' logits", async () => {
  const job = await makeJob({
    method: "head",
    batch: 15,
    learningRate: 0.1,
    length: { steps: 20 },
  });
  const { rows } = await train(job, STILL);
  const requests = letterRequests(job.train);
  const lossOf = async (folder: string) => {
    const model = await openHfModel(folder, { workers: 0 });
    const scores = (await model.scoreLetters(requests)) as LetterScores[];
    await model.close();
    const losses = job.train.map(({ label }, k) => {
      const place = requests[k]?.letters.indexOf(label) ?? -1;
      return -Math.log(shares([...(scores[k]?.logprobs ?? [])])[place] ?? 0);
    });
    return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
  };
  // A step's loss is that of the weights before it.
  expect(rows[0]?.loss).toBeCloseTo(await lossOf(job.model), 4);
  expect(await lossOf(job.out)).toBeLessThan((rows[0]?.loss ?? 0) - 0.05);
});

test("sft: the answer is the gold JSON as it follows the prompt, and the end token", async () => {
  const job = await makeJob();
  const base = openBaseModel(job.model);
  base.weights.close();
  const [trace] = job.train as [Trace];
  const [example] = encodeAnswers(base, [trace]);
  const text = base.template.render(buildPrompt(trace, { readout: "generative" }));
  const { prompt = [], answer = [] } = example ?? {};
  expect(base.tokenizer.decode(prompt)).toBe(text);
  expect(base.tokenizer.decode(answer)).toBe(
    `${goldAnswer(trace.label, trace.rationale)}<|im_end|>`,
  );
  expect([...prompt, ...answer.slice(0, -1)]).toEqual(
    base.tokenizer.encode(text + goldAnswer(trace.label, trace.rationale)),
  );
});

test("rl: answers are written as evaluation writes them, prompts of several lengths together", async () => {
  const job = await makeJob({ model: await answeringModel() });
  const policy = reopen(job.model, null);
  const sampler = await openSampler(policy, { threads: 1, checkStop: () => {} });
  const asked = encodePrompts(policy.base, job.train, 24).map(({ prompt }) => {
    return { prompt, randoms: [Math.random, Math.random] };
  });
  expect(new Set(asked.map(({ prompt }) => prompt.length)).size).toBeGreaterThan(3);
  const written = await sampler.sample(asked, { temperature: 0, maxTokens: 24 });
  await sampler.close();

  const model = await openHfModel(job.model, { workers: 0 });
  const requests = job.train.map((trace): GenerateRequest => {
    const messages = buildPrompt(trace, { readout: "generative" });
    return { id: trace.id, situation: trace, messages, samples: [0] };
  });
  const sampling = { temperature: 0, topP: 1, maxTokens: 24, seed: "1" };
  const measured = await model.generate(requests, sampling);
  await model.close();
  written.forEach((answers, k) => {
    const [{ text, finish }] = measured[k] as [Generation];
    const found = answers.map((answer) => ({ text: answer.text, finish: answer.finish }));
    expect(found).toEqual([
      { text, finish },
      { text, finish },
    ]);
  });
});

test("a merged folder says what model and adapter say together", async () => {
  const job = await makeJob({ length: { steps: 5 } });
  await train(job, STILL);
  const merged = `${job.out}-merged`;
  await mergeFolder(job.out, job.model, merged);
  const [apart, together] = [
    await openHfModel(job.model, { adapter: job.out, workers: 0 }),
    await openHfModel(merged, { workers: 0 }),
  ];
  const requests = letterRequests(job.train.slice(0, 3));
  const [a, b] = [await apart.scoreLetters(requests), await together.scoreLetters(requests)];
  (a as LetterScores[]).forEach(({ logprobs }, k) => {
    expectClose(logprobs, (b[k] as LetterScores).logprobs);
  });
  await Promise.all([apart.close(), together.close()]);
  await expect(mergeFolder(job.out, job.model, merged)).rejects.toThrow("exists already");
});
