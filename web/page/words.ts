import type { Label, LenientReason, Outcome, StrictReason } from "../../src/index.ts";

/** How people call an outcome. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  correct: "correct",
  premature_act: "premature ACT",
  missed_act: "missed ACT",
  wrong: "otherwise wrong",
  unreadable: "unreadable",
  cut_off: "cut off",
};

/** Why an answer has its outcome, as the end of a sentence. */
export function whyOutcome(outcome: Outcome, gold: Label): string {
  switch (outcome) {
    case "correct":
      return "it names the right intervention";
    case "premature_act":
      return `it acts where ${gold} was right`;
    case "missed_act":
      return "it holds back where acting was right";
    case "wrong":
      return `it does not act, but ${gold} was right`;
    case "unreadable":
      return "no intervention can be read from it";
    case "cut_off":
      return "it hit the token limit";
  }
}

/** Why a parse read no label. */
export const REASONS: Readonly<Record<StrictReason | LenientReason, string>> = {
  too_long: "the text is too long",
  empty: "nothing is left to read",
  no_answer: "it thinks and never answers",
  not_one_object: "the text is not exactly one JSON object",
  repeated_key: "a key stands twice in the object",
  invalid_label: "the object names none of the five labels",
  no_reason: "the object has no “reason” text",
  not_a_letter: "the text is not one option letter",
  conflicting: "it contradicts itself",
  no_label: "no label word counts",
  several_labels: "several labels still stand",
};

/** The rungs of the lenient ladder, by number. */
export const RUNGS: readonly string[] = [
  "before the first rung",
  "a new prompt’s header",
  "a wrapping string",
  "an object",
  "a broken object",
  "a declaration",
  "the whole reply",
  "a label word",
];

/** A number with at most so many decimals and a real minus sign. */
export function showNumber(value: number, decimals: number): string {
  return value
    .toFixed(decimals)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace(/^-/, "");
}

/** A price, with two decimals. */
export function showPrice(value: number): string {
  return showNumber(value, 2);
}

/** From which probability on one should act: where it turns, at the digits shown, both choices tie. */
export function showTurn(turn: number): string {
  const shown = turn.toFixed(3);
  const rest = turn - Number(shown);
  if (Math.abs(rest) < 1e-9) return `above ${shown}`;
  return `from just ${rest > 0 ? "above" : "below"} ${shown} on`;
}
