import { z } from "zod";
import { LABELS } from "../../core/intervention.ts";
import { OUTCOMES } from "../../task/outcome.ts";
import { metricsSchema, scoreItemSchema } from "../item-schema.ts";
import { choosePricing } from "../pricing.ts";
import { postRoute, type Route } from "../route.ts";
import { scoreChecked } from "../score-item.ts";
import type { Service } from "../service.ts";
import { failureOf, finishOf, outputText, responseSchema } from "./response.ts";

/** A row of an exported `rl --format nemo-gym` file with the model's response. */
const verifyRequestSchema = z.looseObject({
  responses_create_params: z.looseObject({}),
  response: responseSchema,
  gold: scoreItemSchema.shape.gold,
  trace_id: scoreItemSchema.shape.trace_id,
  letters: scoreItemSchema.shape.letters,
});

const verifyReplySchema = z.looseObject({
  responses_create_params: z.looseObject({}),
  response: z.looseObject({}),
  gold: z.enum(LABELS),
  reward: z.number(),
  outcome: z.enum(OUTCOMES),
  ...metricsSchema.shape,
  /** Whether the reward measures nothing, because the model's side failed. */
  mask_sample: z.boolean(),
  failure_kind: z.enum(["agent_run_error"]).nullable(),
  failure_reason: z.string().nullable(),
  scorer_version: z.string(),
});

/**
 * `POST /verify`: the row comes back with its reward and every metric at the top level, where
 * NeMo Gym averages them. A response that failed on the model's side is scored as the text it has
 * and masked; a row that cannot be scored is an error and never a reward.
 */
export function verifyRoute({ schemes, traces, log, versions }: Service): Route {
  const pricing = choosePricing({}, schemes);
  const shape = {
    path: "/verify",
    tag: "nemo-gym",
    summary: "NeMo Gym: score a response. The reward is the server's standard scheme's.",
    body: verifyRequestSchema,
    checked: verifyRequestSchema,
    reply: verifyReplySchema,
    invalidStatus: 422,
  } as const;
  return postRoute(shape, (row) => {
    const { response, gold, trace_id, letters } = row;
    const item = {
      answer: outputText(response),
      finish: finishOf(response),
      gold,
      trace_id,
      letters,
    };
    const scored = scoreChecked(item, { pricing, key: traces, log });
    const failure = failureOf(response);
    return JSON.stringify({
      ...row,
      gold: scored.gold,
      reward: scored.reward,
      outcome: scored.outcome,
      ...scored.metrics,
      mask_sample: failure !== null,
      failure_kind: failure === null ? null : "agent_run_error",
      failure_reason: failure,
      scorer_version: versions.scorer_version,
    });
  });
}
