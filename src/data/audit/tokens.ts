import { LABELS } from "../../core/intervention.ts";
import type { Examples } from "../../stats/classifier.ts";
import { wordTokens } from "../../stats/tokens.ts";
import type { TextRow, View } from "./text-rows.ts";

/**
 * Words and bigrams of a view as examples. Those of a single family are left out: no classifier can
 * carry them to another family, and leaving them out looks at no label.
 */
export function examplesOf(rows: readonly TextRow[], view: View): Examples {
  const documents = rows.map(({ text }) => wordTokens(text[view], { bigrams: true }));
  const firstFamily = new Map<string, string>();
  const shared = new Set<string>();
  documents.forEach((tokens, at) => {
    const { family } = (rows[at] as TextRow).trace;
    for (const token of tokens) {
      const first = firstFamily.get(token);
      if (first === undefined) firstFamily.set(token, family);
      else if (first !== family) shared.add(token);
    }
  });
  return {
    documents: documents.map((tokens) => tokens.filter((token) => shared.has(token))),
    labels: rows.map(({ label }) => label),
    classes: LABELS.length,
  };
}
