import { metricsOf } from "../env/metrics.ts";
import { storedParse } from "../result/run-row.ts";
import type { Letters } from "../task/parse/types.ts";
import { type Payment, score } from "../task/score.ts";
import { type AnswerKey, goldOf } from "./answer-key.ts";
import { type ItemResult, type ScoredItem, scoreItemSchema } from "./item-schema.ts";
import type { Pricing } from "./pricing.ts";
import { validated } from "./validated.ts";
import { type Log, toWireError } from "./wire-error.ts";

/** What scoring an item needs besides the item. */
export interface Scoring {
  readonly pricing: Pricing;
  /** Null when no set is loaded. */
  readonly key: AnswerKey | null;
  readonly log: Log;
}

/** Scores one received item. Whatever is wrong with it is said at its place and nowhere else. */
export function scoreItem(item: unknown, scoring: Scoring): ItemResult {
  try {
    return scoreChecked(validated(scoreItemSchema, item), scoring);
  } catch (error) {
    return { id: idOf(item), reward: null, error: toWireError(error, scoring.log) };
  }
}

/** The fields of an item that fits its schema. */
type CheckedItem = ReturnType<(typeof scoreItemSchema)["parse"]>;

/** @throws SteerError when the gold label cannot be told; see `goldOf` */
export function scoreChecked(item: CheckedItem, { pricing, key }: Scoring): ScoredItem {
  const { id = null, answer, finish, letters, prompt } = item;
  const { primary, schemes } = pricing;
  const gold = goldOf(item, key);
  const asked = {
    letters: (letters ?? undefined) as Letters | undefined,
    prompt: prompt ?? undefined,
  };
  const { strict, lenient, payments } = score({ answer, finish, gold, ...asked }, schemes);
  const { outcome, reward } = payments[primary.name] as Payment;
  const rewards: Record<string, number> = {};
  for (const { name } of schemes) rewards[name] = (payments[name] as Payment).reward;
  return {
    id,
    gold,
    strict: storedParse(strict) as ScoredItem["strict"],
    lenient: storedParse(lenient) as ScoredItem["lenient"],
    outcome,
    reward,
    rewards,
    metrics: metricsOf({ outcome, strict, lenient, finish }, primary.parse),
  };
}

function idOf(item: unknown): string | number | null {
  const { id } = Object(item) as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}
