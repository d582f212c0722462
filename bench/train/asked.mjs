// What both sides are asked: batches of the set's train side, encoded as `steerbench train` does.

import { loadScenarioSet } from "../../dist/data/scenario-set.js";
import { readSplit } from "../../dist/data/split-file.js";
import { SCHEMES } from "../../dist/task/scheme.js";
import { openBaseModel } from "../../dist/train/base-model.js";
import { encodeAnswers, encodeChoices } from "../../dist/train/examples.js";
import { toRows } from "../../dist/train/methods/rl.js";
import { planTraining } from "../../dist/train/plan.js";
import { LORA } from "./ours.mjs";

/** Answers of a group. */
export const SAMPLES = 8;
/** Prompts whose groups are sampled in one call. */
export const PROMPTS = 8;

/**
 * Blocks of batches, each a list of rows in the form that the engine takes and torch reads from a
 * file, and the mean lengths of all traces of the train side.
 */
export async function readAsked(model, { set: path, split: splitFile, blocks, batch, threads }) {
  const traces = await readTrainSide(model, path, splitFile, threads);
  const base = openBaseModel(model);
  const answers = encodeAnswers(base, traces);
  const { examples: choices, letters } = encodeChoices(base, traces);
  base.weights.close();
  const blocksOf = Array.from({ length: blocks }, (_, b) => {
    const from = (b * batch) % traces.length;
    const own = answers.slice(from, from + batch);
    return {
      sft: { loss: "vocabulary", rows: supervised(own) },
      decision: { loss: "letters", rows: decisions(choices.slice(from, from + batch)) },
      rl: { loss: "vocabulary", rows: group(own[0], answers.slice(from, from + SAMPLES)) },
      prompts: answers.slice(from, from + PROMPTS).map(({ prompt }) => prompt),
      features: choices.slice(from, from + batch).map(({ id, prompt }) => ({ id, prompt })),
    };
  });
  const mean = (list, sizeOf) => list.reduce((sum, each) => sum + sizeOf(each), 0) / list.length;
  const lengths = {
    traces: traces.length,
    prompt: mean(answers, ({ prompt }) => prompt.length),
    answer: mean(answers, ({ answer }) => answer.length),
    choice: mean(choices, ({ prompt }) => prompt.length),
  };
  return { letters, blocks: blocksOf, lengths };
}

/** The traces that the command would train on, in its order. */
async function readTrainSide(model, path, splitFile, threads) {
  const set = await loadScenarioSet(path);
  const split = await readSplit(splitFile);
  const once = { limit: null, validation: 0, batch: 1, length: { steps: 1 }, saveEvery: 1 };
  const rate = { learningRate: 1e-4, warmUp: 0, seed: "0", rollouts: null };
  const request = { ...once, ...rate, set, split, splitFile, model, threads, lora: LORA };
  const { train } = await planTraining({
    ...request,
    method: "sft",
    from: null,
    out: "",
    resume: false,
  });
  set.close();
  return train;
}

/** As methods/sft.ts weighs them: each answer token of the batch the same. */
function supervised(examples) {
  const total = examples.reduce((sum, { answer }) => sum + answer.length, 0);
  return examples.map(({ prompt, answer }) => {
    return { prompt, answers: [{ targets: answer, weights: answer.map(() => 1 / total) }] };
  });
}

/** As methods/decision.ts weighs them. */
function decisions(examples) {
  return examples.map(({ prompt, target }) => {
    return { prompt, answers: [{ targets: [target], weights: [1 / examples.length] }] };
  });
}

/**
 * A group with signal. Its answers are the gold answers of eight traces, so that lengths are those
 * of a model that answers in JSON, and every second is taken for a mistake.
 */
function group({ prompt, gold }, examples) {
  const answers = examples.map(({ answer }) => ({ tokens: answer }));
  const outcomes = answers.map((_, k) => (k % 2 === 0 ? "correct" : "wrong"));
  return toRows([{ prompt, gold, answers, outcomes }], {
    scheme: SCHEMES.symmetric,
    divideBy: "group",
  });
}
