import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { actBaseline, uniformBaseline, wordsBaseline } from "../../src/model/baseline.ts";
import { type Generation, isFailure, type Model } from "../../src/model/model.ts";
import { fitWordClassifier } from "../../src/model/word-classifier.ts";
import { parse } from "../../src/task/parse/parse.ts";
import { makeFamily, makeTrace } from "../support/traces.ts";
import { CONTRACT_TRACES, generateRequests, letterRequests } from "./contract.ts";

const sampling = (seed: string) => ({ temperature: 0, topP: 1, maxTokens: 64, seed });

async function labelsOf(model: Model, samples: readonly number[], seed = "1") {
  const results = await model.generate(generateRequests(samples), sampling(seed));
  return results.flat().map((answer) => {
    if (isFailure(answer)) throw new Error(answer.error.message);
    const { strict, lenient } = parse(answer.text);
    expect(strict.label).toBe(lenient.label);
    return strict.label;
  });
}

test("act always writes ACT in the strict format, and is certain of it in letters", async () => {
  const model = actBaseline();
  expect(new Set(await labelsOf(model, [0, 1]))).toEqual(new Set(["ACT"]));
  const [own, shifted] = await model.scoreLetters(letterRequests([0, 2]));
  const certain = [0, ...Array(4).fill(Number.NEGATIVE_INFINITY)];
  expect(own).toEqual({ logprobs: certain, letterMass: 1 });
  expect(shifted).toEqual({
    logprobs: [...certain.slice(2), ...certain.slice(0, 2)],
    letterMass: 1,
  });
});

test("uniform names all five labels about equally often, by seed, id and sample", async () => {
  const samples = Array.from({ length: 200 }, (_, k) => k);
  const labels = await labelsOf(uniformBaseline(), samples);
  for (const label of LABELS) {
    const share = labels.filter((each) => each === label).length / labels.length;
    expect(Math.abs(share - 0.2), label).toBeLessThan(0.03);
  }
  expect(await labelsOf(uniformBaseline(), samples, "2")).not.toEqual(labels);
});

test("uniform gives all letters one score, so that no decision has a pick", async () => {
  const [scores] = await uniformBaseline().scoreLetters(letterRequests([0]));
  expect(scores).toEqual({ logprobs: Array(5).fill(Math.log(0.2)), letterMass: 1 });
});

test("words learns from the train side which words go with which label", async () => {
  const examples = LABELS.map((label) =>
    makeTrace({ id: label, label, task: "t", memory: [], observation: `seen ${label}word` }),
  );
  const model = wordsBaseline(fitWordClassifier(examples, { part: "train" }));
  const requests = examples.map((trace) => ({
    id: trace.id,
    situation: trace,
    messages: [],
    samples: [0],
  }));
  const answers = (await model.generate(requests, sampling("1"))).flat() as Generation[];
  expect(answers.map(({ text }) => parse(text).strict.label)).toEqual(LABELS);
});

test("words reads both readouts from the same five probabilities", async () => {
  const model = wordsBaseline(fitWordClassifier(CONTRACT_TRACES, {}));
  const labels = await labelsOf(model, [0]);
  for (const offset of [0, 1, 4]) {
    const requests = letterRequests([offset]);
    const picks = (await model.scoreLetters(requests)).map((result, at) => {
      if (isFailure(result)) throw new Error(result.error.message);
      const total = result.logprobs.reduce((sum, value) => sum + Math.exp(value), 0);
      expect(total).toBeCloseTo(1, 9);
      return requests[at]?.letters[result.logprobs.indexOf(Math.max(...result.logprobs))];
    });
    expect(picks).toEqual(labels);
  }
});

test("words names no label where two are exactly as probable", async () => {
  const twins = makeFamily(3).map((trace) => ({ ...trace, task: "t", observation: "o" }));
  const model = wordsBaseline(fitWordClassifier(twins, {}));
  expect(new Set(await labelsOf(model, [0]))).toEqual(new Set([null]));
});

test("words records what it was fitted on", () => {
  const classifier = fitWordClassifier(CONTRACT_TRACES, { split: "abc", part: "train" });
  expect(wordsBaseline(classifier).describe().details).toMatchObject({
    split: "abc",
    part: "train",
    traces: CONTRACT_TRACES.length,
  });
});
