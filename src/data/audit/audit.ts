import type { OnProgress } from "../jsonl.ts";
import { nearEdges } from "../near/near-edges.ts";
import { orderById } from "../set-checks.ts";
import { countTexts } from "../text-figures.ts";
import type { ScenarioSet, Split } from "../types.ts";
import { agreementByRound, type RoundAgreement } from "./agreement.ts";
import { balanceChecks } from "./balance.ts";
import type { AuditCheck } from "./check.ts";
import { duplicateChecks } from "./duplicates.ts";
import { orderCheck } from "./order.ts";
import { type PermutationTest, permutationTests } from "./permutations.ts";
import { phraseChecks } from "./phrases.ts";
import { rationaleChecks } from "./rationales.ts";
import type { Review } from "./review.ts";
import { shortcutChecks } from "./shortcuts.ts";
import { findTellingWords, type TellingWord } from "./telling-words.ts";
import { readTextRows } from "./text-rows.ts";

/** What an audit found. */
export interface Audit {
  readonly checks: readonly AuditCheck[];
  /** The words and bigrams that most give a label away. */
  readonly words: readonly TellingWord[];
  /** Where permutations were asked for. */
  readonly permutations?: readonly PermutationTest[];
  /** Where blind labels were given. */
  readonly agreement?: readonly RoundAgreement[];
}

/** What an audit looks at besides the set. */
export interface AuditOptions {
  /** With it, lineage across its sides is looked for as well. */
  readonly split?: Split | undefined;
  /** Blind labels, from `readReviews`. */
  readonly reviews?: readonly Review[] | undefined;
  /** Permutations of labels within families; 0 for none. */
  readonly permutations?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
}

const SEED = "steerbench audit";

/**
 * Looks for what a model could lean on instead of judging: labels, lengths, memory sizes and scopes
 * that are out of balance, ids and orders that tell, single features and words that tell, phrases
 * that come back, and texts that stand in two families or on both sides of a split.
 */
export async function auditSet(
  set: ScenarioSet,
  { split, reviews, permutations = 0, onProgress }: AuditOptions = {},
): Promise<Audit> {
  const figures = await countTexts(set);
  const edges = await nearEdges(set, { onProgress });
  const rows = await readTextRows(set, orderById(set.heads));
  const tests = { permutations, seed: SEED, onProgress };
  return {
    checks: [
      ...balanceChecks(figures),
      orderCheck(set),
      ...duplicateChecks(set, edges, split),
      ...phraseChecks(rows),
      ...rationaleChecks(rows),
      ...(await shortcutChecks(rows)),
    ],
    words: findTellingWords(rows),
    ...(permutations > 0 && { permutations: await permutationTests(rows, tests) }),
    ...(reviews && { agreement: agreementByRound(rows, reviews) }),
  };
}
