import { wordTokens } from "../../stats/tokens.ts";
import type { AuditCheck } from "./check.ts";
import type { TextRow } from "./text-rows.ts";

/** At most this share of traces may name a second label that could be defended. */
const MOST_ALSO = 0.03;
/** A rationale shares at least this many telling words with its trace. */
const FEWEST_SHARED = 2;
const LISTED = 20;

/** Whether each rationale speaks of what stands in its trace, and how often `also` is used. */
export function rationaleChecks(rows: readonly TextRow[]): AuditCheck[] {
  const adrift = rows.filter(({ trace, text }) => {
    const telling = new Set(wordTokens(trace.rationale).filter(isTelling).map(stem));
    const shown = new Set(wordTokens(text.whole).map(stem));
    const shared = [...telling].filter((word) => shown.has(word)).length;
    return shared < Math.min(FEWEST_SHARED, Math.max(1, telling.size));
  });
  const listed = adrift.slice(0, LISTED).map(({ trace }) => `${trace.id}: ${trace.rationale}`);
  const also = rows.filter(({ trace }) => (trace.also?.length ?? 0) > 0).length;
  const share = also / rows.length;
  return [
    {
      name: "rationales name what the trace shows",
      passed: adrift.length === 0,
      detail: `${adrift.length} share fewer than ${FEWEST_SHARED} telling words with their trace`,
      findings: listed,
    },
    {
      name: "second labels",
      passed: share <= MOST_ALSO,
      detail: `${also} of ${rows.length} traces have also, at most ${100 * MOST_ALSO}% allowed`,
      findings: [],
    },
  ];
}

/** Numbers and longer words carry a fact; short ones only the grammar. */
function isTelling(word: string): boolean {
  return word.length >= 4 || /\p{N}/u.test(word);
}

/** `Mondays` and `Monday's` speak of `Monday`. */
function stem(word: string): string {
  return word.replace(/['’].*$/, "").slice(0, 5);
}
