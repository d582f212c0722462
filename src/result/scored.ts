import type { Label } from "../core/intervention.ts";
import type { Domain } from "../core/trace.ts";
import { classify, type Outcome } from "../task/outcome.ts";
import type { Scheme } from "../task/scheme.ts";
import { type Payment, settle } from "../task/score.ts";
import type { LetterPass } from "./decision.ts";
import { readAnswer } from "./read-answer.ts";
import type { Run } from "./run-read.ts";
import { isDecisionRow } from "./run-row.ts";
import type { StoredParse } from "./run-schema.ts";

/** One answer, read and classified: what every metric is computed from. */
export interface ScoredAnswer {
  readonly id: string;
  readonly sample: number;
  /** Null when the answer came without its trace. */
  readonly family: string | null;
  readonly domain: Domain | null;
  readonly gold: Label;
  /** Labels that a careful reader could also defend. */
  readonly also: readonly Label[];
  /** Null in the decision readout. */
  readonly text: string | null;
  readonly strict: StoredParse;
  readonly lenient: StoredParse;
  /** By the lenient parse. */
  readonly outcome: Outcome;
  /** By the strict parse. */
  readonly strictOutcome: Outcome;
  /** By scheme name; each scheme reads the parse it names. */
  readonly payments: Readonly<Record<string, Payment>>;
  /** Decision readout only. */
  readonly passes: readonly LetterPass[] | null;
}

/**
 * The answers of a run, in the run's order. Text is read again and letters are picked again: the
 * stored parses are for looking at, no number comes from them.
 */
export function scoreRun(run: Run, schemes: readonly Scheme[]): ScoredAnswer[] {
  return run.answers.map((row) => {
    const trace = run.traces.get(row.id);
    if (!trace) throw new Error(`row ${row.id} has no trace`);
    const { family, domain, gold, also = [] } = trace;
    const isDecision = isDecisionRow(row);
    const parses = readAnswer(row, run.header.model.endTokens);
    const finish = isDecision ? null : row.finish;
    return {
      id: row.id,
      sample: row.sample,
      family,
      domain,
      gold,
      also,
      text: isDecision ? null : row.text,
      ...parses,
      outcome: classify(gold, parses.lenient.label, finish),
      strictOutcome: classify(gold, parses.strict.label, finish),
      payments: settle(parses, { gold, finish }, schemes),
      passes: isDecision ? row.passes : null,
    };
  });
}
