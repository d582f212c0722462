import { describe, expect, test } from "vitest";
import { isFailure, type LetterScores, type ModelFailure } from "../../../src/model/model.ts";
import { pick } from "../../../src/stats/logprobs.ts";
import {
  copyModel,
  DECISIONS,
  largestGap,
  letterRequest,
  MICRO,
  openForTest,
  REFERENCE,
  SHORT_CHATS,
  shortChat,
  TINY,
} from "./support.ts";

/** How close fp32 comes to the frozen float64 numbers. */
const TO_REFERENCE = 2e-4;
/** How far batching, shared prefixes and the order of requests may move a log-probability. */
const TO_ITSELF = 1e-4;

const TINY_REQUESTS = DECISIONS.map(({ id, messages }) => letterRequest(id, messages));
const MICRO_REQUESTS = SHORT_CHATS.map((chat, i) => letterRequest(`t-${i}`, chat));

function scoresOf(results: readonly (LetterScores | ModelFailure)[]): LetterScores[] {
  return results.map((result) => {
    if (isFailure(result)) throw new Error(result.error.message);
    return result;
  });
}

/** Equal picks, and log-probabilities within the tolerance. */
function expectAlike(a: readonly LetterScores[], b: readonly LetterScores[], tolerance: number) {
  expect(a).toHaveLength(b.length);
  a.forEach(({ logprobs, letterMass }, i) => {
    const other = b[i] as LetterScores;
    expect(largestGap(logprobs, other.logprobs)).toBeLessThan(tolerance);
    expect(Math.abs(letterMass - other.letterMass)).toBeLessThan(tolerance);
    expect(pick(logprobs)).toEqual(pick(other.logprobs));
  });
}

test("the tiny model's letters are those of the float64 reference", async () => {
  const model = await openForTest(TINY);
  const scores = scoresOf(await model.scoreLetters(TINY_REQUESTS));
  const wanted = DECISIONS.map(({ logprobs, letterMass }) => ({
    logprobs: ["A", "B", "C", "D", "E"].map((letter) => logprobs[letter] as number),
    letterMass,
  }));
  expectAlike(scores, wanted, TO_REFERENCE);
});

describe.each([
  ["plain attention", MICRO],
  ["grouped attention", `${MICRO}#onnx/model_grouped.onnx`],
  ["a graph that is told how many logits to keep", `${MICRO}#onnx/model_keep.onnx`],
  ["a head that cannot be cut", `${MICRO}#onnx/model_reshaped.onnx`],
])("with %s", (_, location) => {
  test("B29: shared prefixes change neither picks nor log-probabilities", async () => {
    const [shared, apart] = await Promise.all([
      openForTest(location),
      openForTest(location, { sharePrefixes: false }),
    ]);
    const once = scoresOf(await shared.scoreLetters(MICRO_REQUESTS));
    expectAlike(once, scoresOf(await apart.scoreLetters(MICRO_REQUESTS)), TO_ITSELF);
  });

  test("B29: the order of requests, and requests before them, change nothing at all", async () => {
    const model = await openForTest(location);
    const first = await model.scoreLetters(MICRO_REQUESTS);
    await model.scoreLetters(MICRO_REQUESTS.slice(2, 4));
    const backward = await model.scoreLetters([...MICRO_REQUESTS].reverse());
    expect([...backward].reverse()).toEqual(first);
  });

  test("B11: picks and log-probabilities do not depend on how many are asked at once", async () => {
    const model = await openForTest(location);
    const together = scoresOf(await model.scoreLetters(MICRO_REQUESTS));
    for (const size of [1, 2, 4]) {
      const parts: LetterScores[] = [];
      for (let i = 0; i < MICRO_REQUESTS.length; i += size) {
        parts.push(...scoresOf(await model.scoreLetters(MICRO_REQUESTS.slice(i, i + size))));
      }
      expectAlike(parts, together, TO_ITSELF);
    }
  });
});

test("all graphs of one model give the same letters", async () => {
  const reference = await openForTest(MICRO);
  const wanted = scoresOf(await reference.scoreLetters(MICRO_REQUESTS));
  for (const form of ["grouped", "keep", "reshaped"]) {
    const model = await openForTest(`${MICRO}#onnx/model_${form}.onnx`);
    expectAlike(scoresOf(await model.scoreLetters(MICRO_REQUESTS)), wanted, TO_ITSELF);
  }
  const half = await openForTest(`${MICRO}#onnx/model_fp16.onnx`);
  const rough = scoresOf(await half.scoreLetters(MICRO_REQUESTS));
  rough.forEach(({ logprobs }, i) => {
    expect(largestGap(logprobs, wanted[i]?.logprobs ?? [])).toBeLessThan(0.05);
  });
});

test("the order of the choices of one trace is read from one prefix", async () => {
  const [shared, apart] = await Promise.all([
    openForTest(MICRO),
    openForTest(MICRO, { sharePrefixes: false }),
  ]);
  const orders = ["ABCDE", "BCDEA", "CDEAB", "DEABC", "EABCD"].map((order) =>
    letterRequest("t", shortChat(`One situation for all orders. ${order}`)),
  );
  const scores = scoresOf(await shared.scoreLetters(orders));
  expectAlike(scores, scoresOf(await apart.scoreLetters(orders)), TO_ITSELF);
  expect(new Set(scores.map(({ logprobs }) => logprobs.join())).size).toBe(orders.length);
});

test("B17: a prompt over the context limit is a failure in its place, never cut", async () => {
  const model = await openForTest(MICRO);
  const long = letterRequest("long", shortChat("x".repeat(900)));
  const [before, failed, after] = await model.scoreLetters(
    [MICRO_REQUESTS[0], long, MICRO_REQUESTS[1]].flatMap((r) => r ?? []),
  );
  expect(failed).toEqual({
    error: {
      code: "context_length",
      message: expect.stringMatching(/has 9\d\d tokens.* limit is 512/),
    },
  });
  expect([before, after].every((result) => result && !isFailure(result))).toBe(true);
});

test("equal prompts get equal scores, each in its place", async () => {
  const model = await openForTest(MICRO);
  const [one, two] = MICRO_REQUESTS;
  if (!one || !two) throw new Error("no requests");
  const [a, b, c] = await model.scoreLetters([one, two, { ...one, id: "again" }]);
  expect(c).toEqual(a);
  expect(b).not.toEqual(a);
});

test("a tokenizer that joins a letter to the prompt is refused before anything is read", async () => {
  const folder = copyModel(MICRO);
  const { readFileSync, writeFileSync } = await import("node:fs");
  const file = `${folder}/tokenizer.json`;
  const content = JSON.parse(readFileSync(file, "utf8"));
  const vocab = content.model.vocab as Record<string, number>;
  vocab["#C"] = vocab["~"] as number;
  delete vocab["~"];
  writeFileSync(
    file,
    JSON.stringify({ ...content, model: { ...content.model, vocab, merges: [["#", "C"]] } }),
  );
  const model = await openForTest(folder);
  const seen: number[] = [];
  const call = model.scoreLetters(MICRO_REQUESTS, { onResult: (index) => seen.push(index) });
  await expect(call).rejects.toThrow(/letter C merges with the end of the prompt .*choice#/);
  expect(seen).toEqual([]);
});

test("tells each result as soon as it is there, once", async () => {
  const model = await openForTest(TINY);
  const told = new Map<number, unknown>();
  const results = await model.scoreLetters(TINY_REQUESTS, {
    onResult(index, result) {
      expect(told.has(index)).toBe(false);
      told.set(index, result);
    },
  });
  expect(results).toEqual(results.map((_, index) => told.get(index)));
});

test("an aborted call ends as interrupted, and the model goes on working", async () => {
  const model = await openForTest(TINY);
  const already = model.scoreLetters(TINY_REQUESTS, { signal: AbortSignal.abort() });
  await expect(already).rejects.toMatchObject({ code: "interrupted" });
  const controller = new AbortController();
  let seen = 0;
  const during = model.scoreLetters(TINY_REQUESTS, {
    signal: controller.signal,
    onResult() {
      seen++;
      controller.abort();
    },
  });
  await expect(during).rejects.toMatchObject({ code: "interrupted" });
  expect(seen).toBeLessThan(TINY_REQUESTS.length);
  expect(await model.scoreLetters(TINY_REQUESTS)).toHaveLength(TINY_REQUESTS.length);
});

test("a closed model refuses work", async () => {
  const model = await openForTest(MICRO);
  await model.close();
  await expect(model.scoreLetters(MICRO_REQUESTS)).rejects.toMatchObject({ code: "state" });
});

test("the chat that is scored is the reference's text", async () => {
  const model = await openForTest(TINY);
  for (const { messages, prefix, text } of REFERENCE.prompts) {
    expect(model.promptText(messages, prefix)).toBe(text);
  }
});
