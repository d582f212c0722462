import { describe, expect, test } from "vitest";
import type { Generation, ModelFailure, Sampling } from "../../../src/model/model.ts";
import {
  BIGRAM,
  MICRO,
  openForTest,
  REFERENCE,
  SHORT_CHATS,
  TINY,
  textRequest,
} from "./support.ts";

const GREEDY: Sampling = { temperature: 0, topP: 1, maxTokens: 24, seed: "1" };
const WARM: Sampling = { temperature: 1, topP: 0.95, maxTokens: 12, seed: "7" };

const PROMPTS = REFERENCE.prompts.filter(({ prefix }) => prefix === "");
const REQUESTS = SHORT_CHATS.map((chat, i) => textRequest(`t-${i}`, chat, [0, 1, 2]));

/** The answers of one request behind words of the bigram model. */
async function follow(words: string, sampling: Partial<Sampling> = {}) {
  const model = await openForTest(BIGRAM);
  const request = textRequest("t", [{ role: "user", content: words }]);
  const [answers = []] = await model.generate([request], { ...GREEDY, ...sampling });
  return answers[0] as Generation;
}

test("the tiny model's greedy text is the reference's, token for token", async () => {
  const model = await openForTest(TINY);
  const requests = PROMPTS.map(({ id, messages }) => textRequest(id, messages));
  const answers = await model.generate(requests, { ...GREEDY, maxTokens: 32 });
  expect(answers).toEqual(
    PROMPTS.map(({ greedy: { text, ids, finish } }) => [{ text, finish, tokens: ids.length }]),
  );
});

test("stops behind the first object that names an intervention", async () => {
  const answer = await follow("<s>write");
  const text = '{"intervention": "ASK", "reason": "x"}';
  expect(answer).toEqual({ text, finish: "stop", tokens: 5 });
});

test("stops at an end token, which is no part of the answer", async () => {
  expect(await follow("end")).toEqual({ text: "", finish: "stop", tokens: 0 });
});

test("stops at the token limit with finish `length`", async () => {
  const answer = await follow("talk", { maxTokens: 5 });
  expect(answer).toEqual({ text: " on and on and on", finish: "length", tokens: 5 });
});

test("stops with finish `length` where the context ends", async () => {
  const model = await openForTest(BIGRAM);
  const ask = (count: number) =>
    model.generate([textRequest("t", [{ role: "user", content: "talk".repeat(count) }])], {
      ...GREEDY,
      maxTokens: 1000,
    });
  // 64 tokens in all, the start token among them.
  expect(await ask(60)).toMatchObject([[{ finish: "length", tokens: 3 }]]);
  expect(await ask(64)).toMatchObject([[{ error: { code: "context_length" } }]]);
});

test("gives the log-probability of each written token on request", async () => {
  const answer = await follow("talk", { maxTokens: 4, tokenLogprobs: true });
  expect(answer.tokenLogprobs?.map((value) => value.toFixed(5))).toEqual(Array(4).fill("-0.50000"));
  const warm = await follow("talk", { maxTokens: 4, tokenLogprobs: true, temperature: 0.01 });
  expect(warm.tokenLogprobs?.[0]).toBeCloseTo(-0.5, 5);
});

describe.each([
  ["plain attention", MICRO],
  ["grouped attention", `${MICRO}#onnx/model_grouped.onnx`],
  ["a graph that is told how many logits to keep", `${MICRO}#onnx/model_keep.onnx`],
  ["a head that cannot be cut", `${MICRO}#onnx/model_reshaped.onnx`],
  ["half precision", `${MICRO}#onnx/model_fp16.onnx`],
])("with %s", (_, location) => {
  test("B11: answers written together equal those written one by one", async () => {
    const model = await openForTest(location);
    for (const sampling of [GREEDY, WARM]) {
      const together = await model.generate(REQUESTS, sampling);
      expect(together.flat()).toHaveLength(REQUESTS.length * 3);
      for (const [i, request] of REQUESTS.entries()) {
        for (const sample of [0, 2]) {
          const [alone] = await model.generate([{ ...request, samples: [sample] }], sampling);
          expect(alone).toEqual([together[i]?.[sample]]);
        }
      }
    }
  });
});

test("answers are the same whether prefixes are shared or not", async () => {
  const [shared, apart] = await Promise.all([
    openForTest(MICRO),
    openForTest(MICRO, { sharePrefixes: false }),
  ]);
  expect(await shared.generate(REQUESTS, WARM)).toEqual(await apart.generate(REQUESTS, WARM));
});

test("samples differ from each other and between seeds, and repeat under one seed", async () => {
  const model = await openForTest(MICRO);
  const ask = async (seed: string) => (await model.generate(REQUESTS, { ...WARM, seed })).flat();
  const [one, again, other] = [await ask("a"), await ask("a"), await ask("b")];
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
  const texts = one.map((answer) => (answer as Generation).text);
  expect(new Set(texts).size).toBeGreaterThan(texts.length / 2);
});

test("greedy samples of one prompt are one answer", async () => {
  const model = await openForTest(MICRO);
  const [answers = []] = await model.generate(REQUESTS.slice(0, 1), GREEDY);
  expect(answers).toHaveLength(3);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test("each request is told once, with all its samples", async () => {
  const model = await openForTest(MICRO);
  const told: [number, readonly (Generation | ModelFailure)[]][] = [];
  const results = await model.generate(REQUESTS, WARM, {
    onResult: (index, result) => told.push([index, result]),
  });
  expect(told.sort(([a], [b]) => a - b).map(([, result]) => result)).toEqual(results);
});

test("no samples are an empty list", async () => {
  const model = await openForTest(MICRO);
  const [request] = REQUESTS;
  if (!request) throw new Error("no request");
  expect(await model.generate([{ ...request, samples: [] }], GREEDY)).toEqual([[]]);
});
