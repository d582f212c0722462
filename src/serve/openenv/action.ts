import { z } from "zod";
import { LABELS } from "../../core/intervention.ts";
import { beginShape, type FinishRequest } from "../episodes.ts";

/** Fields that any action may have besides the answer. Over plain HTTP, where no reset is remembered, they say what is answered. */
const shared = {
  trace_id: beginShape.trace_id,
  readout: beginShape.readout,
  scheme: beginShape.scheme,
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

/** The form that an action has, by its fields; what is neither should be the text form. */
export function formOf(action: unknown): z.ZodType<z.infer<typeof actionSchema>> {
  const fields = Object(action) as object;
  return "intervention" in fields && !("answer" in fields) ? parsedActionSchema : textActionSchema;
}

/** Reads an action that fits {@link formOf}. */
export function readAction(action: z.infer<typeof actionSchema>): {
  readonly request: FinishRequest;
  readonly preParsed: boolean;
} {
  const { trace_id, readout, scheme, finish, metadata: _, ...rest } = action;
  const about = { trace_id, readout, scheme, finish };
  return "answer" in action
    ? { request: { answer: action.answer as string, ...about }, preParsed: false }
    : { request: { answer: JSON.stringify(rest), ...about }, preParsed: true };
}
