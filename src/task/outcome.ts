import type { Label } from "../core/intervention.ts";

/** What became of an answer: exactly one of these. */
export const OUTCOMES = [
  "correct",
  "premature_act",
  "missed_act",
  "wrong",
  "unreadable",
  "cut_off",
] as const;

/** See {@link OUTCOMES}. */
export type Outcome = (typeof OUTCOMES)[number];

/** Finish reasons, of several providers, that say an answer hit its token limit. */
export const CUT_OFF_REASONS = ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"] as const;

/** Whether a finish reason says that the answer hit its token limit. */
export function isCutOff(finish: string | null | undefined): boolean {
  return (CUT_OFF_REASONS as readonly (string | null | undefined)[]).includes(finish);
}

/**
 * Classifies an answer.
 *
 * @param gold the label that is right
 * @param read the label that the scheme's parse read, null when unreadable
 * @param finish why the answer ended, where known
 */
export function classify(
  gold: Label,
  read: Label | null,
  finish?: string | null | undefined,
): Outcome {
  if (isCutOff(finish)) return "cut_off";
  if (read === null) return "unreadable";
  if (read === gold) return "correct";
  if (read === "ACT") return "premature_act";
  return gold === "ACT" ? "missed_act" : "wrong";
}

/** One number per outcome, in outcome order. */
export function byOutcome<T>(make: (outcome: Outcome) => T): Record<Outcome, T> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, make(outcome)])) as Record<
    Outcome,
    T
  >;
}
