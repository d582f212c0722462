import { expect, test } from "vitest";
import { goldAnswer, LABELS } from "../../src/index.ts";
import { totalsOf } from "../../web/page/totals.ts";
import { playTrace } from "./support.ts";

const played = LABELS.map((label) => ({
  trace: playTrace({ id: label, label, wordsAnswer: goldAnswer("WAIT", "") }),
  answer: goldAnswer("ACT", ""),
}));

const rowsOf = (...args: Parameters<typeof totalsOf>) =>
  Object.fromEntries(totalsOf(...args).map(({ name, right, totals }) => [name, [right, totals]]));

test("counts right answers and adds up what each scheme pays, for the player and every floor", () => {
  const acts = [1, { symmetric: 1, asymmetric: 1 - 4 }];
  const holds = [1, { symmetric: 1, asymmetric: 1 - 0.25 }];
  const rows = rowsOf(played);
  const chance = rows["chance, expected"] as [number, Record<string, number>];
  expect(chance[0]).toBeCloseTo(1);
  expect(chance[1]["symmetric"]).toBeCloseTo(1);
  expect(chance[1]["asymmetric"]).toBeCloseTo(0);
  expect({ ...rows, "chance, expected": undefined }).toEqual({
    you: acts,
    "always ACT": acts,
    "always ASK": holds,
    "always WAIT": holds,
    "always REMEMBER": holds,
    "always FORGET": holds,
    "bag of words": holds,
  });
});

test("leaves the bag of words out as soon as one trace is among those it was fitted on", () => {
  const fitted = { trace: playTrace(), answer: "ACT" };
  expect(Object.keys(rowsOf([...played, fitted]))).not.toContain("bag of words");
});

test("prices an answer that cannot be read as the scorer does", () => {
  const rows = rowsOf([{ trace: playTrace({ wordsAnswer: "no idea" }), answer: "hm" }]);
  expect(rows["you"]).toEqual([0, { symmetric: -0.1, asymmetric: -0.5 }]);
  expect(rows["bag of words"]).toEqual(rows["you"]);
});
