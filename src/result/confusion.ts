import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { type Rate, rate } from "./rate.ts";
import type { ScoredAnswer } from "./scored.ts";

/** The columns of the confusion matrix: what was answered. */
export const ANSWER_COLUMNS = [...LABELS, "unreadable", "cut_off"] as const;

/** See {@link ANSWER_COLUMNS}. */
export type AnswerColumn = (typeof ANSWER_COLUMNS)[number];

/** Counts by gold label (rows) and answer (columns). */
export type Confusion = Readonly<Record<Label, Readonly<Record<AnswerColumn, number>>>>;

/** How well one label is found. */
export interface LabelScores {
  /** Of the answers that name the label, the share that is right. */
  readonly precision: Rate;
  /** Of the answers to its traces, the share that names it. */
  readonly recall: Rate;
  /** 2·TP / (2·TP + FP + FN); null when the label is neither gold nor answered anywhere. */
  readonly f1: number | null;
}

/** Cross-counts gold labels with answers; a cut-off answer counts as cut off whatever it names. */
export function confusionOf(answers: readonly ScoredAnswer[]): Confusion {
  const counts = byLabel(
    () => Object.fromEntries(ANSWER_COLUMNS.map((c) => [c, 0])) as Record<AnswerColumn, number>,
  );
  for (const answer of answers) counts[answer.gold][columnOf(answer)]++;
  return counts;
}

/** What an answer says: a label, or why none counts. */
export function columnOf({ outcome, lenient }: ScoredAnswer): AnswerColumn {
  if (outcome === "cut_off") return "cut_off";
  return lenient.label ?? "unreadable";
}

/** Precision, recall and F1 of each label. */
export function labelScores(confusion: Confusion): Record<Label, LabelScores> {
  return byLabel((label) => {
    const hits = confusion[label][label];
    const named = LABELS.reduce((sum, gold) => sum + confusion[gold][label], 0);
    const gold = ANSWER_COLUMNS.reduce((sum, column) => sum + confusion[label][column], 0);
    return {
      precision: rate(hits, named),
      recall: rate(hits, gold),
      f1: named + gold === 0 ? null : (2 * hits) / (named + gold),
    };
  });
}
