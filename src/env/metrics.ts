import type { Label } from "../core/intervention.ts";
import type { Outcome } from "../task/outcome.ts";
import type { LenientParse, StrictParse } from "../task/parse/types.ts";
import type { Scheme } from "../task/scheme.ts";

/** What became of an answer under one scheme. */
export interface Reading {
  readonly outcome: Outcome;
  readonly strict: StrictParse;
  readonly lenient: LenientParse;
  /** Why the answer ended, as the caller said. */
  readonly finish: string | null | undefined;
}

type Bit = 0 | 1;

/** The numbers that a trainer logs of one answer: always these keys, whatever became of it. */
export interface AnswerMetrics extends Record<Outcome, Bit> {
  /** The outcome is `correct`. */
  acc: Bit;
  /** The label that the scheme's parse read; null when it read none. */
  pred: Label | null;
  /** The strict parse read a label. */
  strict_ok: Bit;
  /** The lenient parse read a label. */
  lenient_ok: Bit;
  /** Nothing was left to read. */
  empty: Bit;
  /** The caller said why the answer ended. */
  finish_known: Bit;
}

/** The metrics of one answer, under the parse that a scheme reads. */
export function metricsOf(reading: Reading, which: Scheme["parse"]): AnswerMetrics {
  const { outcome, strict, lenient, finish } = reading;
  return {
    // Written out: spreading a table of them took an eighth of the server's time.
    correct: bit(outcome === "correct"),
    premature_act: bit(outcome === "premature_act"),
    missed_act: bit(outcome === "missed_act"),
    wrong: bit(outcome === "wrong"),
    unreadable: bit(outcome === "unreadable"),
    cut_off: bit(outcome === "cut_off"),
    acc: bit(outcome === "correct"),
    pred: which === "strict" ? strict.label : lenient.label,
    strict_ok: bit(strict.label !== null),
    lenient_ok: bit(lenient.label !== null),
    empty: bit(lenient.label === null && lenient.reason === "empty"),
    finish_known: bit(finish !== null && finish !== undefined && finish !== ""),
  };
}

function bit(isSo: boolean): Bit {
  return isSo ? 1 : 0;
}
