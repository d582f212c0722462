import type { Outcome } from "../task/outcome.ts";
import type { LenientParse, StrictParse } from "../task/parse/types.ts";
import type { Scheme } from "../task/scheme.ts";
import type { Metrics } from "./item-schema.ts";

/** What became of an answer under one scheme. */
export interface Reading {
  readonly outcome: Outcome;
  readonly strict: StrictParse;
  readonly lenient: LenientParse;
  /** Why the answer ended, as the caller said. */
  readonly finish: string | null | undefined;
}

/** The metrics of one answer, under the parse that a scheme reads. */
export function metricsOf(reading: Reading, which: Scheme["parse"]): Metrics {
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

function bit(isSo: boolean): 0 | 1 {
  return isSo ? 1 : 0;
}
