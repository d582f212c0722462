import { z } from "zod";
import { beginShape, newPlayer } from "../episodes.ts";
import { postRoute, type Route } from "../route.ts";
import type { Service } from "../service.ts";
import {
  describeReset,
  describeStep,
  messageSchema,
  resetInfoSchema,
  stepInfoSchema,
} from "../step-info.ts";

const resetBody = z.strictObject({
  /** A session to go on with; without it, a new one is opened. */
  session: z.string().nullish(),
  seed: z.union([z.string(), z.int()], "must be a text or a whole number").nullish(),
  ...beginShape,
});

const resetReply = z.strictObject({
  session: z.string(),
  observation: z.array(messageSchema),
  info: resetInfoSchema,
});

const stepBody = z.strictObject({
  session: z.string(),
  answer: z.string(),
  finish: z.string().nullish(),
  /** Must be the episode's, where given. */
  trace_id: z.string().nullish(),
});

const stepReply = z.strictObject({
  session: z.string(),
  /** Empty: the episode is over. */
  observation: z.array(messageSchema),
  reward: z.number(),
  terminated: z.literal(true),
  truncated: z.boolean(),
  info: stepInfoSchema,
});

/** `POST /v1/reset` and `POST /v1/step`: episodes by session. */
export function episodeRoutes(service: Service): Route[] {
  return [resetRoute(service), stepRoute(service)];
}

function resetRoute(service: Service): Route {
  const { episodes, sessions } = service;
  const shape = {
    path: "/v1/reset",
    tag: "scoring",
    summary: "Begin an episode: a situation to decide on.",
    body: resetBody,
    checked: resetBody,
    reply: resetReply,
    invalidStatus: 400,
  } as const;
  return postRoute(shape, ({ session: known, ...request }) => {
    if (known) {
      const { observation, info } = episodes.begin(sessions.use(known), request);
      return JSON.stringify({ session: known, observation, info: describeReset(info) });
    }
    // Begun before the session counts as open, so that a refused request leaves none behind.
    let begun: ReturnType<typeof episodes.begin> | undefined;
    const opened = sessions.open((id) => {
      const player = newPlayer(id);
      begun = episodes.begin(player, request);
      return player;
    });
    if (!opened || !begun) return { refused: { code: "busy", message: sessions.fullMessage() } };
    const { observation, info } = begun;
    return JSON.stringify({ session: opened.id, observation, info: describeReset(info) });
  });
}

function stepRoute({ episodes, sessions }: Service): Route {
  const shape = {
    path: "/v1/step",
    tag: "scoring",
    summary: "Answer the running episode, which ends with it.",
    body: stepBody,
    checked: stepBody,
    reply: stepReply,
    invalidStatus: 400,
  } as const;
  return postRoute(shape, ({ session, ...request }) => {
    const { result, scheme } = episodes.finish(sessions.use(session), request);
    const { reward, terminated, truncated } = result;
    const info = describeStep(result, request.finish, scheme.parse);
    return JSON.stringify({ session, observation: [], reward, terminated, truncated, info });
  });
}
