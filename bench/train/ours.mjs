// Our side: the functions that `steerbench train` is made of, opened once.

import { randomStream } from "../../dist/core/random.js";
import { openBaseModel } from "../../dist/train/base-model.js";
import { descend } from "../../dist/train/descend.js";
import { readFeatures } from "../../dist/train/features.js";
import { openLogProbs } from "../../dist/train/log-probs.js";
import { initialState } from "../../dist/train/optimizer.js";
import { openPolicy } from "../../dist/train/policy.js";
import { openSampler } from "../../dist/train/rollout.js";
import { trainableOf } from "../../dist/train/trainable.js";

/** What `train` takes by default. */
export const LORA = { rank: 16, alpha: 32, targets: ["q_proj", "k_proj", "v_proj", "o_proj"] };
const RATE = { learningRate: 1e-4, warmUp: 0 };

/** Opens what `needs` names: "sft", "decision", "rl", "sample", "features". */
export async function openOurs(model, { threads, letters, needs }) {
  const base = openBaseModel(model);
  const policy = openPolicy(base, LORA, { seed: "0", start: null });
  const trainable = trainableOf(policy);
  const optimizer = initialState(trainable.shapes, trainable.tensors);
  const isNeeded = (...names) => names.some((name) => needs.includes(name));
  const options = { threads, gradients: true };
  const over = {
    vocabulary: isNeeded("sft", "rl") ? await openLogProbs(policy, options) : null,
    letters: isNeeded("decision") ? await openLogProbs(policy, { ...options, letters }) : null,
  };
  const checkStop = () => {};
  const sampler = isNeeded("sample") ? await openSampler(policy, { threads, checkStop }) : null;
  let calls = 0;

  return {
    writeAdapter: (folder) => trainable.writeResult(folder),
    /** Forward, backward and one update. */
    async step({ loss: kind, rows }) {
      const made = await descend(over[kind], rows, trainable, optimizer, RATE);
      return { loss: made.loss, norm: made.gradientNorm };
    },
    /** So many answers to each prompt; the tokens that were chosen. */
    async sample(prompts, { samples, maxTokens }) {
      calls++;
      const asked = prompts.map((prompt, p) => {
        const random = (k) => randomStream("0", "rollout", JSON.stringify([calls, p, k]));
        return { prompt, randoms: Array.from({ length: samples }, (_, k) => random(k)) };
      });
      const written = await sampler.sample(asked, { temperature: 1, maxTokens });
      return { tokens: written.flat().reduce((sum, { tokens }) => sum + tokens.length, 0) };
    },
    /** What a head is trained on; ms of one trace, without the making of the graph. */
    async features(examples) {
      const times = [];
      const onProgress = () => times.push(performance.now());
      await readFeatures(base, examples, { threads, checkStop, onProgress });
      return { each: (times.at(-1) - times[0]) / (times.length - 1) };
    },
    async close() {
      for (const each of [over.vocabulary, over.letters, sampler]) await each?.close();
      base.weights.close();
    },
  };
}
