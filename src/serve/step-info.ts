import { z } from "zod";
import { LABELS } from "../core/intervention.ts";
import { DOMAINS } from "../core/trace.ts";
import type { ResetInfo, StepResult } from "../env/env.ts";
import { metricsOf } from "../env/metrics.ts";
import { storedParse } from "../result/run-row.ts";
import { OUTCOMES } from "../task/outcome.ts";
import type { Scheme } from "../task/scheme.ts";
import { metricsSchema, parseSchema } from "./item-schema.ts";

/** One turn of a chat. */
export const messageSchema = z.strictObject({
  role: z.enum(["system", "user", "assistant"]),
  content: z.string(),
});

/** What an episode shows besides its prompt. */
export const resetInfoSchema = z.strictObject({
  trace_id: z.string(),
  family: z.string(),
  domain: z.enum(DOMAINS),
  /** The labels that A to E stand for, in the decision readout. */
  letters: z.array(z.enum(LABELS)).nullable(),
});

/** What became of an episode's answer. */
export const stepInfoSchema = z.strictObject({
  ...resetInfoSchema.shape,
  gold: z.enum(LABELS),
  rationale: z.string(),
  outcome: z.enum(OUTCOMES),
  strict: parseSchema,
  lenient: parseSchema,
  rewards: z.record(z.string(), z.number()),
  metrics: metricsSchema,
});

/** The beginning of an episode in the words of the wire. */
export function describeReset({
  traceId,
  family,
  domain,
  letters,
}: ResetInfo): z.infer<typeof resetInfoSchema> {
  return { trace_id: traceId, family, domain, letters: letters && [...letters] };
}

/**
 * The end of an episode in the words of the wire.
 *
 * @param finish why the answer ended, as the caller said
 * @param which the parse that the episode's scheme reads
 */
export function describeStep(
  { info }: StepResult,
  finish: string | null | undefined,
  which: Scheme["parse"],
): z.infer<typeof stepInfoSchema> {
  const { gold, rationale, outcome, strict, lenient, rewards } = info;
  return {
    ...describeReset(info),
    gold,
    rationale,
    outcome,
    strict: storedParse(strict) as z.infer<typeof parseSchema>,
    lenient: storedParse(lenient) as z.infer<typeof parseSchema>,
    rewards: { ...rewards },
    metrics: metricsOf({ outcome, strict, lenient, finish }, which),
  };
}
