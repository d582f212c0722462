import { canonicalJson } from "../core/hash.ts";
import { readAnswer } from "./read-answer.ts";
import type { Run } from "./run-read.ts";
import type { StoredParse } from "./run-schema.ts";

/** A stored parse that the present scorer does not reproduce. */
export interface RescoreDifference {
  readonly id: string;
  readonly sample: number;
  readonly parse: "strict" | "lenient";
  readonly stored: StoredParse;
  readonly now: StoredParse;
}

/** What reading a run's answers again gave. */
export interface Rescore {
  readonly answers: number;
  /** Scorer that the run was stored with. */
  readonly storedScorer: string;
  /** Empty when every stored parse was reproduced. */
  readonly differences: readonly RescoreDifference[];
}

/** Reads every stored answer again, without asking a model, and compares the parses with the stored ones. */
export function rescore(run: Run): Rescore {
  const differences = run.answers.flatMap((row): RescoreDifference[] => {
    const now = readAnswer(row, run.header.model.endTokens);
    return (["strict", "lenient"] as const)
      .filter((parse) => canonicalJson(row[parse]) !== canonicalJson(now[parse]))
      .map((parse) => {
        return { id: row.id, sample: row.sample, parse, stored: row[parse], now: now[parse] };
      });
  });
  return { answers: run.answers.length, storedScorer: run.header.scorer.version, differences };
}
