import { z } from "zod";
import { nearest } from "../../data/explain.ts";
import { beginShape } from "../episodes.ts";
import { messageSchema, resetInfoSchema, stepInfoSchema } from "../step-info.ts";
import { actionSchema } from "./action.ts";

const episodeId = z.string().max(255, "must have at most 255 characters").nullish();

const resetFields = {
  seed: z.int("must be a whole number").min(0, "must not be negative").nullish(),
  episode_id: episodeId,
  /** The protocol's name for the side. */
  split: beginShape.part,
  trace_id: beginShape.trace_id,
  readout: beginShape.readout,
  scheme: beginShape.scheme,
};

/**
 * How an OpenEnv client resets. Fields that we do not know are left alone, as the protocol says,
 * but for those that look like a slip: a misspelt scheme would pay by another one.
 */
export const resetRequestSchema = z.looseObject(resetFields).superRefine((request, context) => {
  const known = Object.keys(resetFields);
  const slips = Object.keys(request).filter(
    (key) => !known.includes(key) && nearest(key, known) !== undefined,
  );
  if (slips.length > 0) context.addIssue({ code: "unrecognized_keys", keys: slips });
});

/** How an OpenEnv client steps over HTTP. */
export const stepRequestSchema = z.object({
  action: actionSchema,
  timeout_s: z.number().positive("must be above 0").nullish(),
  request_id: episodeId,
});

/** What an episode's beginning shows. */
export const resetObservationSchema = z
  .strictObject({
    /** The situation as one text. */
    prompt: z.string(),
    messages: z.array(messageSchema),
    ...resetInfoSchema.shape,
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ title: "SteerResetObservation" });

/** What an episode's end shows. */
export const stepObservationSchema = z
  .strictObject({
    prompt: z.literal(""),
    messages: z.array(messageSchema),
    ...stepInfoSchema.shape,
    /** The answer came as an object and was written out again: its strict parse says nothing. */
    pre_parsed: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ title: "SteerObservation" });

const envelopeOf = <Observation extends z.ZodType, Reward extends z.ZodType>(
  observation: Observation,
  reward: Reward,
) =>
  z.strictObject({
    observation,
    reward,
    done: z.boolean(),
    metadata: z.record(z.string(), z.unknown()),
  });

/** The reply to a reset. */
export const resetEnvelopeSchema = envelopeOf(resetObservationSchema, z.null());
/** The reply to a step. */
export const stepEnvelopeSchema = envelopeOf(stepObservationSchema, z.number());

/** Where an episode stands. */
export const stateSchema = z
  .strictObject({
    episode_id: z.string().nullable(),
    step_count: z.int().min(0),
    trace_id: z.string().nullable(),
  })
  .meta({ title: "SteerState" });
