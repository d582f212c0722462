import { byLabel, LABELS, type Label } from "../core/intervention.ts";

/** How often each label (first key) was chosen over each other label (second key). */
export type Flow = Record<Label, Record<Label, number>>;

/** A flow of zeros. */
export function emptyFlow(): Flow {
  return byLabel(() => byLabel(() => 0));
}

/** All ways to give each of n labels one of the others, none its own, as lists of positions. */
export function derangements(n: number): number[][] {
  const all: number[][] = [];
  const extend = (taken: readonly number[]) => {
    if (taken.length === n) {
      all.push([...taken]);
      return;
    }
    for (let k = 0; k < n; k++) {
      if (k !== taken.length && !taken.includes(k)) extend([...taken, k]);
    }
  };
  extend([]);
  return all;
}

/** The derangements of up to five labels: none for one label, 44 for five. */
export const DERANGEMENTS: readonly (readonly (readonly number[])[])[] = Array.from(
  { length: LABELS.length + 1 },
  (_, n) => derangements(n),
);
