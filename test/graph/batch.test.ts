import { expect, test } from "vitest";
import { layOutBatch } from "../../src/graph/batch.ts";
import { SMALL } from "./support.ts";

const HIDDEN = -1e9;
const row = (prompt: number[], ...answers: number[][]) => {
  return {
    prompt,
    answers: answers.map((targets) => ({ targets, weights: targets.map(() => 1) })),
  };
};
const list = (data: BigInt64Array | Float32Array | undefined) => Array.from(data ?? [], Number);

test("answers stand behind their prompt, see it and themselves, and count on from its end", () => {
  const { feeds, targets, tokens } = layOutBatch([row([1, 2], [3, 4, 5], [6], [7, 8])], SMALL);
  expect(list(feeds["ids"]?.data)).toEqual([1, 2, 3, 4, 7]);
  expect(list(feeds["positions"]?.data)).toEqual([0, 1, 2, 3, 2]);
  expect(list(feeds["targets"]?.data)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(list(feeds["selected"]?.data)).toEqual([1, 2, 3, 1, 1, 4]);
  const mask = list(feeds["mask"]?.data).map((value) => (value === HIDDEN ? "." : "x"));
  expect(Array.from({ length: 5 }, (_, i) => mask.slice(i * 5, i * 5 + 5).join(""))).toEqual([
    "x....",
    "xx...",
    "xxx..",
    "xxxx.",
    "xx..x",
  ]);
  expect([targets, tokens]).toEqual([6, 5]);
});

test("shorter rows are filled up, and places count through all rows", () => {
  const { feeds, tokens } = layOutBatch([row([1, 2, 3], [4]), row([5], [6])], SMALL);
  expect(feeds["ids"]?.dims).toEqual([2, 3]);
  expect(list(feeds["ids"]?.data)).toEqual([1, 2, 3, 5, 0, 0]);
  expect(list(feeds["selected"]?.data)).toEqual([2, 3]);
  expect(tokens).toBe(4);
});

test("a row beyond the context limit and an id beyond the vocabulary are refused", () => {
  const long = Array.from({ length: 60 }, () => 1);
  expect(() => layOutBatch([row(long, [1, 1, 1, 1, 1])], SMALL)).not.toThrow();
  expect(() => layOutBatch([row([1], [1]), row(long, [1, 1, 1, 1, 1, 1])], SMALL)).toThrow(
    "row 1 needs 65 positions, and the model has 64; shorten its prompt or answer",
  );
  expect(() => layOutBatch([row([31], [1])], SMALL)).toThrow("row 0 holds token id 31");
  expect(() => layOutBatch([row([0], [2, -1])], SMALL)).toThrow("none of 0 to 30");
  expect(() => layOutBatch([row([], [2])], SMALL)).toThrow("row 0 has an empty prompt or answer");
  expect(() => layOutBatch([row([1], [2], [])], SMALL)).toThrow("empty prompt or answer");
});
