import { z } from "zod";
import { LABELS } from "../core/intervention.ts";
import { byOutcome, OUTCOMES } from "../task/outcome.ts";
import { wireErrorSchema } from "./wire-error.ts";

/** Names an item in its reply; any text or number. */
export const itemIdSchema = z.union([z.string(), z.number()], "must be a text or a number");

const letters = z
  .array(z.enum(LABELS))
  .refine((list) => list.length === LABELS.length && new Set(list).size === list.length, {
    message: "must be the five labels that A to E stand for, each once",
  });

/**
 * One answer to score. It needs `gold`, or the `trace_id` of a loaded set. Other fields are left
 * alone, so that whole rows of a data set can be sent.
 */
export const scoreItemSchema = z.object({
  id: itemIdSchema.nullish(),
  answer: z.string(),
  gold: z.enum(LABELS).nullish(),
  trace_id: z.string().nullish(),
  finish: z.string().nullish(),
  letters: letters.nullish(),
  prompt: z.string().nullish(),
});

const bit = z.literal([0, 1]);

/** The numbers of one answer: always these keys, whatever became of it. */
export const metricsSchema = z.strictObject({
  ...byOutcome(() => bit),
  /** The outcome is `correct`. */
  acc: bit,
  /** The label that the scheme's parse read; null when it read none. */
  pred: z.enum(LABELS).nullable(),
  /** The strict parse read a label. */
  strict_ok: bit,
  /** The lenient parse read a label. */
  lenient_ok: bit,
  /** Nothing was left to read. */
  empty: bit,
  /** The caller said why the answer ended. */
  finish_known: bit,
});

/** See {@link metricsSchema}. */
export type Metrics = z.infer<typeof metricsSchema>;

/** A parse: the label, or null and why not. */
export const parseSchema = z.strictObject({
  label: z.enum(LABELS).nullable(),
  reason: z.string().exactOptional(),
  multiple: z.literal(true).exactOptional(),
});

/** What the scorer says of one answer. `reward`, `outcome` and `metrics` are the first scheme's. */
export const scoredItemSchema = z.strictObject({
  id: itemIdSchema.nullable(),
  gold: z.enum(LABELS),
  strict: parseSchema,
  lenient: parseSchema,
  outcome: z.enum(OUTCOMES),
  reward: z.number(),
  rewards: z.record(z.string(), z.number()),
  metrics: metricsSchema,
});

/** See {@link scoredItemSchema}. */
export type ScoredItem = z.infer<typeof scoredItemSchema>;

/** An item that cannot be scored. Its reward is null, never a number. */
export const failedItemSchema = z.strictObject({
  id: itemIdSchema.nullable(),
  reward: z.null(),
  error: wireErrorSchema,
});

/** See {@link failedItemSchema}. */
export type FailedItem = z.infer<typeof failedItemSchema>;

/** What stands at an item's place in the reply. */
export type ItemResult = ScoredItem | FailedItem;
