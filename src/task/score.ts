import type { Label } from "../core/intervention.ts";
import { classify, type Outcome } from "./outcome.ts";
import { type Parses, parse } from "./parse/parse.ts";
import type { ParseOptions } from "./parse/types.ts";
import { SCHEMES, type Scheme } from "./scheme.ts";

/** Version of the scorer: it changes when any answer could score differently. */
export const SCORER_VERSION = "1";

/** An answer to score, and how it was asked for. */
export interface ScoreInput extends ParseOptions {
  readonly gold: Label;
  readonly answer: string;
  /** Why the answer ended, where known: `stop`, `length`, … */
  readonly finish?: string | null | undefined;
}

/** What a scheme makes of an answer. */
export interface Payment {
  readonly outcome: Outcome;
  readonly reward: number;
}

/** Both parses of an answer and what each scheme makes of it, by scheme name. */
export interface Score extends Parses {
  readonly payments: Readonly<Record<string, Payment>>;
}

const BUILT_IN: readonly Scheme[] = [SCHEMES.symmetric, SCHEMES.asymmetric];

/** Reads, classifies and pays one answer: the one scorer behind every reward and every metric. */
export function score(input: ScoreInput, schemes: readonly Scheme[] = BUILT_IN): Score {
  const parses = parse(input.answer, input);
  return { ...parses, payments: settle(parses, input, schemes) };
}

/** Classifies and pays an answer whose parses are known. */
export function settle(
  parses: { readonly strict: { label: Label | null }; readonly lenient: { label: Label | null } },
  { gold, finish }: Pick<ScoreInput, "gold" | "finish">,
  schemes: readonly Scheme[] = BUILT_IN,
): Record<string, Payment> {
  const payments: Record<string, Payment> = {};
  for (const { name, parse: which, prices } of schemes) {
    const outcome = classify(gold, parses[which].label, finish);
    payments[name] = { outcome, reward: prices[outcome] };
  }
  return payments;
}
