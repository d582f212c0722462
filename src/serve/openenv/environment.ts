import type { z } from "zod";
import { promptText } from "../../task/prompt.ts";
import type { Player } from "../episodes.ts";
import type { Service } from "../service.ts";
import { describeReset, describeStep } from "../step-info.ts";
import { validated } from "../validated.ts";
import { formOf, readAction } from "./action.ts";
import type {
  resetEnvelopeSchema,
  resetRequestSchema,
  stateSchema,
  stepEnvelopeSchema,
} from "./schemas.ts";

/** A reset in OpenEnv's words. @throws what `Episodes.begin` throws */
export function resetEnvironment(
  { episodes, newId }: Service,
  player: Player,
  request: z.infer<typeof resetRequestSchema>,
): z.infer<typeof resetEnvelopeSchema> {
  const { seed, split, episode_id, trace_id, readout, scheme } = request;
  const { observation, info } = episodes.begin(player, {
    seed,
    part: split,
    trace_id,
    readout,
    scheme,
  });
  player.episodeId = episode_id ?? newId();
  const messages = observation.map(({ role, content }) => ({ role, content }));
  const described = describeReset(info);
  const metadata = { episode_id: player.episodeId, ...described };
  return {
    observation: { prompt: promptText(observation), messages, ...described, metadata },
    reward: null,
    done: false,
    metadata,
  };
}

/**
 * A step in OpenEnv's words: reward and end on the envelope, what became of the answer inside the
 * observation and in its metadata.
 *
 * @throws SteerError `invalid` for an action of neither form, and what `Episodes.finish` throws
 */
export function stepEnvironment(
  { episodes }: Service,
  player: Player,
  action: unknown,
): z.infer<typeof stepEnvelopeSchema> {
  const { request, preParsed } = readAction(validated(formOf(action), action));
  const { result, scheme } = episodes.finish(player, request);
  const described = describeStep(result, request.finish, scheme.parse);
  const metadata = {
    episode_id: player.episodeId,
    trace_id: described.trace_id,
    outcome: described.outcome,
    pre_parsed: preParsed,
    truncated: result.truncated,
    rewards: described.rewards,
    ...described.metrics,
  };
  return {
    observation: { prompt: "", messages: [], ...described, pre_parsed: preParsed, metadata },
    reward: result.reward,
    done: true,
    metadata,
  };
}

/** Where a player stands. */
export function stateOf({ episodeId, steps, traceId }: Player): z.infer<typeof stateSchema> {
  return { episode_id: episodeId, step_count: steps, trace_id: traceId };
}
