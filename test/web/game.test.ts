import { expect, test } from "vitest";
import { answered, decide, goOn, isLast, isOver, newGame, playAgain } from "../../web/page/game.ts";
import { playTrace } from "./support.ts";

const deck = {
  set: { name: "s", version: "1", licence: null, canary: null },
  parts: { test: ["a", "b"].map((id) => playTrace({ id })), train: [playTrace({ id: "c" })] },
};
const begun = newGame(deck, { seed: "1", part: "test" });

test("plays only the side that the address names", () => {
  expect(begun.traces.map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
  expect(newGame(deck, { seed: "1", part: "train" }).traces.map(({ id }) => id)).toEqual(["c"]);
});

test("waits for an answer, takes the first one only, and goes on", () => {
  expect(goOn(begun)).toBe(begun);
  const once = decide(begun, "ASK");
  expect(answered(once)?.answer).toContain('"ASK"');
  expect(decide(once, "ACT")).toBe(once);
  const second = goOn(once);
  expect(answered(second)).toBeNull();
  expect(second.at).toBe(1);
});

test("after the last trace nothing is wiped until one plays again", () => {
  const last = decide(goOn(decide(begun, "ASK")), "ACT");
  expect(isLast(last)).toBe(true);
  expect(last.played.map(({ trace }) => trace)).toEqual(last.traces);
  expect([isOver(begun), isOver(last)]).toEqual([false, true]);
  expect(goOn(last)).toBe(last);
  expect(playAgain(last)).toEqual(begun);
});
