import { expect, test } from "vitest";
import { OUTCOMES, parse } from "../../src/index.ts";
import { SAMPLES } from "../../web/page/samples.ts";
import { RUNGS, showNumber, showPrice, showTurn, whyOutcome } from "../../web/page/words.ts";

test("the sample answers are each read in a way of their own", () => {
  const readings = SAMPLES.map(({ name, text }) => {
    const { strict, lenient } = parse(text);
    return [name, strict.label ?? strict.reason, lenient.label ?? lenient.reason, lenient.rung];
  });
  expect(readings).toEqual([
    ["as asked", "WAIT", "WAIT", 3],
    ["in a fence", "not_one_object", "ASK", 3],
    ["no reason", "no_reason", "FORGET", 3],
    ["cut short", "not_one_object", "REMEMBER", 4],
    ["declared", "not_one_object", "ASK", 5],
    ["prose", "not_one_object", "ACT", 7],
    ["negated", "not_one_object", "WAIT", 7],
    ["undecided", "not_one_object", "several_labels", 7],
    ["unknown label", "invalid_label", "invalid_label", 3],
    ["still thinking", "no_answer", "no_answer", 0],
  ]);
});

test("every rung and outcome has words", () => {
  expect(RUNGS).toHaveLength(8);
  expect(new Set(OUTCOMES.map((outcome) => whyOutcome(outcome, "ASK"))).size).toBe(OUTCOMES.length);
});

test("numbers carry a real minus sign, and none before a zero", () => {
  expect([showNumber(-0.001, 2), showNumber(-1.5, 2), showNumber(2, 0)]).toEqual([
    "0.00",
    "−1.50",
    "2",
  ]);
  expect([showPrice(-0.25), showPrice(1)]).toEqual(["−0.25", "1.00"]);
});

test("a threshold that has more digits than are shown says on which side of them it lies", () => {
  expect([0.5, 8 / 13, 2 / 3].map(showTurn)).toEqual([
    "above 0.500",
    "from just above 0.615 on",
    "from just below 0.667 on",
  ]);
});
