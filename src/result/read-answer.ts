import { parse } from "../task/parse/parse.ts";
import { type LetterPass, readDecision } from "./decision.ts";
import { storedParse } from "./run-row.ts";
import type { StoredParse } from "./run-schema.ts";

/** Both readings of an answer. In the decision readout there is one, the pick, for both. */
export interface Readings {
  readonly strict: StoredParse;
  readonly lenient: StoredParse;
}

/**
 * Reads what an arm said, in either readout: the one place that turns raw answers into labels when
 * a run is made, measured and re-scored.
 *
 * @param endTokens the model's own end tokens
 */
export function readAnswer(
  answer: { readonly text: string } | { readonly passes: readonly LetterPass[] },
  endTokens: readonly string[],
): Readings {
  if ("passes" in answer) {
    const { pick } = readDecision(answer.passes);
    return { strict: pick, lenient: pick };
  }
  const { strict, lenient } = parse(answer.text, { endTokens });
  return { strict: storedParse(strict), lenient: storedParse(lenient) };
}
