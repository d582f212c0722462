import { expect, test } from "vitest";
import { encodeJointly } from "../../../src/model/onnx/continuation.ts";
import { BIGRAM, openForTest, REFERENCE, TINY } from "./support.ts";

test("B07: the tokens' log-probabilities are those at the positions before them", async () => {
  const model = await openForTest(BIGRAM);
  const { logprob, tokenLogprobs, merged } = await model.continuationLogProb(
    "prompt",
    "redgreenblue",
  );
  expect(tokenLogprobs.map((value) => value.toFixed(5))).toEqual([
    "-0.10000",
    "-0.20000",
    "-0.30000",
  ]);
  expect(logprob).toBeCloseTo(-0.6, 5);
  expect(merged).toBe(false);
});

test("B33: exactly the text's tokens are scored, and no text that does not fit is cut", async () => {
  const model = await openForTest(BIGRAM);
  const long = "talk".repeat(6);
  const { tokenLogprobs } = await model.continuationLogProb(long, " on and");
  expect(tokenLogprobs).toHaveLength(2);
  await expect(model.continuationLogProb("talk".repeat(62), " on and")).rejects.toThrow(
    /65 tokens exceed the model's limit of 64/,
  );
});

test("the tiny model's answers have the reference's log-probabilities", async () => {
  const model = await openForTest(TINY);
  for (const { text, answer } of REFERENCE.prompts) {
    const { logprob, tokenLogprobs } = await model.continuationLogProb(text, answer.text);
    expect(tokenLogprobs).toHaveLength(answer.ids.length);
    expect(Math.abs(logprob - answer.logprob)).toBeLessThan(2e-4 * answer.ids.length);
  }
});

test("B05: a token that spans the border is scored, never nothing, and the result says so", () => {
  const ids: Record<string, number[]> = { "Answer:": [1, 2], "Answer: C": [1, 3], "": [] };
  const encode = (text: string) => ids[text] ?? [];
  expect(encodeJointly(encode, "Answer:", " C")).toEqual({ ids: [1, 3], from: 1, merged: true });
  expect(() => encodeJointly(encode, "Answer:", "")).toThrow(/no token is added by the text ""/);
  expect(() => encodeJointly(encode, "", "Answer:")).toThrow(/no prompt token stands before/);
});
