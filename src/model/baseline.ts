import { sha256Mod } from "../core/hash.ts";
import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { subSeed } from "../core/random.ts";
import { type LabelProbabilities, pickHighest } from "../task/choice.ts";
import { goldAnswer, type Situation } from "../task/prompt.ts";
import type { Generation, Model, ModelDescription } from "./model.ts";
import type { WordClassifier } from "./word-classifier.ts";

/** The floor policies: what an arm has to beat to show anything. */
export const BASELINES = ["act", "uniform", "words"] as const;

/** One of {@link BASELINES}. */
export type Baseline = (typeof BASELINES)[number];

/** Always ACT, with certainty. */
export function actBaseline(): Model {
  const certain = byLabel((label) => (label === "ACT" ? 1 : 0));
  return policy(describe("act"), {
    distributions: (situations) => situations.map(() => certain),
    choose: pickHighest,
  });
}

/**
 * Each label equally likely. A written answer is drawn by the hash of the seed, the id and the
 * sample; letter scores are all ln 1/5, so every decision is a tie and has no pick.
 */
export function uniformBaseline(): Model {
  const equal = byLabel(() => 1 / LABELS.length);
  return policy(describe("uniform"), {
    distributions: (situations) => situations.map(() => equal),
    choose: (_, seed) => LABELS[sha256Mod(seed, LABELS.length)] ?? null,
  });
}

/**
 * Naive Bayes on the words of task, memory and observation, fitted on the train side only. Written
 * answers name the most probable label; at an exact tie they name none, as the letters do.
 */
export function wordsBaseline({ predict, details }: WordClassifier): Model {
  return policy(describe("words", details), { distributions: predict, choose: pickHighest });
}

interface Rules {
  distributions(situations: readonly Situation[]): readonly LabelProbabilities[];
  /** The label to name, null for none; `seed` is one trace's and one sample's own. */
  choose(probabilities: LabelProbabilities, seed: string): Label | null;
}

function describe(name: Baseline, details: ModelDescription["details"] = {}): ModelDescription {
  const spec = `baseline:${name}`;
  return { spec, name: spec, files: {}, dtype: null, endTokens: [], details };
}

/** A model that reads no prompt. All its probability is on the five letters. */
function policy(description: ModelDescription, { distributions, choose }: Rules): Model {
  const pair = <R extends { readonly situation: Situation }>(requests: readonly R[]) => {
    const found = distributions(requests.map(({ situation }) => situation));
    return requests.map((request, at) => ({ request, p: found[at] as LabelProbabilities }));
  };
  return {
    describe: () => description,
    async generate(requests, { seed }) {
      return pair(requests).map(({ request: { id, samples }, p }) =>
        samples.map((sample) =>
          write(choose(p, subSeed(seed, `sample ${sample}`, id)), description.name),
        ),
      );
    },
    async scoreLetters(requests) {
      return pair(requests).map(({ request: { letters }, p }) => ({
        logprobs: letters.map((label) => Math.log(p[label])),
        letterMass: 1,
      }));
    },
    async close() {},
  };
}

function write(label: Label | null, name: string): Generation {
  const text =
    label === null
      ? '{"intervention": null, "reason": "Two labels are equally probable."}'
      : goldAnswer(label, `Chosen by the floor policy ${name}.`);
  return { text, finish: "stop", tokens: null };
}
