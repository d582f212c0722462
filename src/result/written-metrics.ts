import { type Rate, rateOf } from "./rate.ts";
import type { ScoredAnswer } from "./scored.ts";
import { isHedged } from "./uncertainty.ts";

/** What only written answers show: how much of the score is format. */
export interface WrittenMetrics {
  /** The answer is exactly one JSON object, whatever it holds. */
  readonly validJson: Rate;
  /** The strict parse reads a label. */
  readonly strictReadable: Rate;
  /** The lenient parse reads a label. */
  readonly lenientReadable: Rate;
  readonly strictAccuracy: Rate;
  readonly lenientAccuracy: Rate;
  /** Lenient minus strict accuracy: the share of answers whose only fault is the format. */
  readonly formatGap: number | null;
  /** Nothing was written. */
  readonly empty: Rate;
  /** The answer holds a hedging word: a proxy for stated uncertainty. */
  readonly uncertaintyLanguage: Rate;
}

/** Reasons of the strict parse that are given only to one JSON object. */
const OBJECT_REASONS = ["repeated_key", "invalid_label", "no_reason"];

/** The format side of written answers. Shares are of all answers, cut-off ones included. */
export function writtenMetrics(answers: readonly ScoredAnswer[]): WrittenMetrics {
  const strictAccuracy = rateOf(answers, ({ strictOutcome }) => strictOutcome === "correct");
  const lenientAccuracy = rateOf(answers, ({ outcome }) => outcome === "correct");
  return {
    validJson: rateOf(answers, isOneObject),
    strictReadable: rateOf(answers, ({ strict }) => strict.label !== null),
    lenientReadable: rateOf(answers, ({ lenient }) => lenient.label !== null),
    strictAccuracy,
    lenientAccuracy,
    formatGap:
      answers.length === 0
        ? null
        : (lenientAccuracy.numerator - strictAccuracy.numerator) / answers.length,
    empty: rateOf(answers, ({ lenient }) => lenient.reason === "empty"),
    uncertaintyLanguage: rateOf(answers, ({ text }) => text !== null && isHedged(text)),
  };
}

function isOneObject({ strict }: ScoredAnswer): boolean {
  return strict.label !== null || OBJECT_REASONS.includes(strict.reason ?? "");
}
