import { expect, test } from "vitest";
import { wordTokens } from "../../src/stats/tokens.ts";
import { buildVocabulary, countTokens } from "../../src/stats/vocabulary.ts";

test("gives lower-case words without punctuation, of any script", () => {
  expect(wordTokens("Don't deploy v2.1, ÉTÉ—наука 東京!")).toEqual([
    "don't",
    "deploy",
    "v2",
    "1",
    "été",
    "наука",
    "東京",
  ]);
  expect(wordTokens("'quoted' re’run snake_case")).toEqual(["quoted", "re’run", "snake", "case"]);
  expect(wordTokens(" \n—?! ")).toEqual([]);
});

test("adds pairs of neighbours on request", () => {
  expect(wordTokens("Wait for it", { bigrams: true })).toEqual([
    "wait",
    "for",
    "it",
    "wait for",
    "for it",
  ]);
  expect(wordTokens("Wait", { bigrams: true })).toEqual(["wait"]);
});

test("counts known tokens by their position in the sorted vocabulary", () => {
  const vocabulary = buildVocabulary([
    ["b", "a"],
    ["é", "Z", "b"],
  ]);
  expect(vocabulary).toEqual(["Z", "a", "b", "é"]);
  const [row] = countTokens([["é", "b", "x", "é"]], vocabulary);
  expect([...(row?.columns ?? [])]).toEqual([2, 3]);
  expect([...(row?.counts ?? [])]).toEqual([1, 2]);
});
