import { byLabel, LABELS, type Label } from "../../core/intervention.ts";
import type { TextRow } from "./text-rows.ts";
import { examplesOf } from "./tokens.ts";

/** A word or bigram and the traces whose memory or observation hold it, by label. */
export interface TellingWord {
  readonly word: string;
  readonly traces: Readonly<Record<Label, number>>;
  /** Chi-square of the counts against equal shares of the labels' traces; large = telling. */
  readonly chiSquare: number;
}

const LISTED = 30;

/** The words and bigrams that most give a label away: a list to read, not a verdict. */
export function findTellingWords(rows: readonly TextRow[]): TellingWord[] {
  const { documents, labels } = examplesOf(rows, "whole");
  const counts = new Map<string, number[]>();
  documents.forEach((tokens, at) => {
    const label = labels[at] as number;
    for (const token of new Set(tokens)) {
      const row = counts.get(token) ?? LABELS.map(() => 0);
      row[label] = (row[label] as number) + 1;
      counts.set(token, row);
    }
  });
  const perLabel = LABELS.map((_, label) => labels.filter((each) => each === label).length);
  return [...counts]
    .map(([word, row]) => ({
      word,
      traces: byLabel((label) => row[LABELS.indexOf(label)] as number),
      chiSquare: chiSquare(row, perLabel),
    }))
    .sort((a, b) => b.chiSquare - a.chiSquare || (a.word < b.word ? -1 : 1))
    .slice(0, LISTED);
}

function chiSquare(row: readonly number[], perLabel: readonly number[]): number {
  const total = row.reduce((a, b) => a + b);
  const traces = perLabel.reduce((a, b) => a + b);
  return row.reduce((sum, count, label) => {
    const expected = (total * (perLabel[label] as number)) / traces;
    return expected === 0 ? sum : sum + (count - expected) ** 2 / expected;
  }, 0);
}
