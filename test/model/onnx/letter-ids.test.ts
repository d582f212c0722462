import { expect, test } from "vitest";
import { findLetterIds } from "../../../src/model/onnx/letter-ids.ts";
import { makeTokenizer } from "../../../src/model/onnx/tokenizer.ts";

/** A byte-pair tokenizer over these tokens, with these merges; other characters are unknown. */
function toyTokenizer(tokens: readonly string[], merges: readonly [string, string][]) {
  const vocab = Object.fromEntries(["<unk>", ...tokens].map((token, id) => [token, id]));
  const parts = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null };
  const model = { type: "BPE", unk_token: "<unk>", vocab, merges };
  return makeTokenizer({ ...parts, added_tokens: [], model }, {});
}

const CHARACTERS = ["A", "B", "C", "D", "E", "#", " ", ":", "r"];

test("each letter is the token that it adds behind the prompt", () => {
  const { encode } = toyTokenizer(CHARACTERS, []);
  expect(findLetterIds(encode, "r:#")).toEqual([1, 2, 3, 4, 5]);
});

test("B05: a letter that merges with the end of the prompt is refused by its name", () => {
  const { encode } = toyTokenizer(
    [...CHARACTERS, " C", ": C"],
    [
      [" ", "C"],
      [":", " C"],
    ],
  );
  expect(() => findLetterIds(encode, "r: ")).toThrow(/letter C merges with the end of the prompt/);
});

test("a letter of several tokens is refused with their number", () => {
  const encode = (text: string) =>
    [...text].flatMap((c) => (c === "D" ? [68, 0] : [c.charCodeAt(0)]));
  expect(() => findLetterIds(encode, "r#")).toThrow(/letter D is 2 tokens behind "r#", not one/);
});

test("a letter that adds no token is refused", () => {
  const encode = (text: string) => [...text].filter((c) => c !== "E").map((c) => c.charCodeAt(0));
  expect(() => findLetterIds(encode, "r#")).toThrow(/letter E is 0 tokens/);
});

test("letters that the vocabulary does not know are refused as one token", () => {
  const { encode } = toyTokenizer(["A", "r", "#"], []);
  expect(() => findLetterIds(encode, "r#")).toThrow(/letter C is the same token as B/);
});
