import { z } from "zod";
import { LABELS } from "../../core/intervention.ts";

/** Fields that any action may have besides the answer. */
const shared = {
  /** Plays this trace; over plain HTTP, where no reset is remembered, it is needed. */
  trace_id: z.string().nullish(),
  /** Why the answer ended, where known. */
  finish: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
};

/** The answer as the model wrote it. */
export const textActionSchema = z
  .strictObject({ answer: z.string("must be the answer's text"), ...shared })
  .meta({ title: "SteerAction", description: "The model's reply, unchanged, as text." });

/**
 * An answer that somebody has read as JSON before: a reply that is one JSON object becomes the
 * action itself in some clients. Fields of the reply that we do not know stay part of the answer.
 */
export const parsedActionSchema = z.looseObject({ intervention: z.unknown(), ...shared }).meta({
  description: `The model's reply, parsed: {"intervention": ${LABELS.join("|")}, "reason": "…"}. It is written out again, so whether the text itself was strict can no longer be told.`,
});

/** Both forms. */
export const actionSchema = z.union([textActionSchema, parsedActionSchema]);

/** An action as the scorer needs it. */
export interface ReadAction {
  readonly answer: string;
  readonly preParsed: boolean;
  readonly traceId: string | null;
  readonly finish: string | null;
}

/** The form that an action has, by its fields; what is neither should be the text form. */
export function formOf(action: unknown): z.ZodType<z.infer<typeof actionSchema>> {
  const fields = Object(action) as object;
  return "intervention" in fields && !("answer" in fields) ? parsedActionSchema : textActionSchema;
}

/** Reads an action that fits {@link formOf}. */
export function readAction(action: z.infer<typeof actionSchema>): ReadAction {
  const { trace_id, finish, metadata: _, ...rest } = action;
  const about = { traceId: trace_id ?? null, finish: finish ?? null };
  return "answer" in action
    ? { answer: action.answer as string, preParsed: false, ...about }
    : { answer: JSON.stringify(rest), preParsed: true, ...about };
}
