import type { Label } from "../../core/intervention.ts";

/** Why a strict parse reads no label. */
export const STRICT_REASONS = [
  "too_long",
  "empty",
  "no_answer",
  "not_one_object",
  "repeated_key",
  "invalid_label",
  "no_reason",
  "not_a_letter",
] as const;

/** Why a lenient parse reads no label. */
export const LENIENT_REASONS = [
  "too_long",
  "empty",
  "no_answer",
  "invalid_label",
  "conflicting",
  "no_label",
  "several_labels",
] as const;

export type StrictReason = (typeof STRICT_REASONS)[number];
export type LenientReason = (typeof LENIENT_REASONS)[number];

/** What one parse read: a label, or null and the code that says why not. */
export type Parse<Reason extends string> = (
  | { readonly label: Label }
  | { readonly label: null; readonly reason: Reason }
) & {
  /** More than one object in the answer names a label. */
  readonly multiple?: true;
  /**
   * Which rung of the ladder in docs/parse-rules.md decided, 1 to 7; 0 when nothing was left to
   * read before the first rung (or, in a strict parse, always).
   */
  readonly rung: number;
};

export type StrictParse = Parse<StrictReason>;
export type LenientParse = Parse<LenientReason>;

/** The labels that the option letters A to E stand for, in letter order. */
export type Letters = readonly [Label, Label, Label, Label, Label];

/** How an answer was asked for; all parts optional. */
export interface ParseOptions {
  /** Read the answer as a lettered reply. */
  readonly letters?: Letters | undefined;
  /** The prompt, where the answer may begin with an echo of it. */
  readonly prompt?: string | undefined;
  /** The model's own end tokens, besides the known ones. */
  readonly endTokens?: readonly string[] | undefined;
}

/** A parse that found nothing to read, or nothing it could decide on. */
export function unread<Reason extends string>(reason: Reason, rung = 0): Parse<Reason> {
  return { label: null, reason, rung };
}
