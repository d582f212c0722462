import { compareText } from "../core/hash.ts";

/** One document as counts of known tokens. */
export interface SparseRow {
  /** Positions in the vocabulary, ascending. */
  readonly columns: Int32Array;
  /** How often each occurs, aligned with `columns`. */
  readonly counts: Float64Array;
}

/** Every token of some documents once, in code-unit order. */
export function buildVocabulary(documents: readonly (readonly string[])[]): string[] {
  const tokens = new Set<string>();
  for (const document of documents) for (const token of document) tokens.add(token);
  return [...tokens].sort(compareText);
}

/** Counts the tokens of each document; tokens outside the vocabulary are left out. */
export function countTokens(
  documents: readonly (readonly string[])[],
  vocabulary: readonly string[],
): SparseRow[] {
  const columnOf = new Map(vocabulary.map((token, column) => [token, column]));
  return documents.map((document) => {
    const counts = new Map<number, number>();
    for (const token of document) {
      const column = columnOf.get(token);
      if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1);
    }
    const columns = Int32Array.from(counts.keys()).sort();
    return { columns, counts: Float64Array.from(columns, (column) => counts.get(column) ?? 0) };
  });
}
