import { z } from "zod";
import { SteerError } from "../../core/errors.ts";
import { newPlayer } from "../episodes.ts";
import { NAME } from "../info-routes.ts";
import { getRoute, postRoute, type Route } from "../route.ts";
import type { Service } from "../service.ts";
import { textActionSchema } from "./action.ts";
import { resetEnvironment, stateOf, stepEnvironment } from "./environment.ts";
import { answerJsonRpc, jsonRpcReplySchema } from "./json-rpc.ts";
import {
  resetEnvelopeSchema,
  resetObservationSchema,
  resetRequestSchema,
  stateSchema,
  stepEnvelopeSchema,
  stepObservationSchema,
  stepRequestSchema,
} from "./schemas.ts";

const tag = "openenv";

/**
 * OpenEnv over HTTP. As in its own servers, each request has a player of its own, so a step must
 * name its trace; sessions are what the WebSocket is for.
 */
export function openEnvRoutes(service: Service): Route[] {
  return [resetRoute(service), stepRoute(service), ...aboutRoutes(service), mcpRoute()];
}

function resetRoute(service: Service): Route {
  const shape = {
    path: "/reset",
    tag,
    summary: "OpenEnv: begin an episode. Without a seed, the trace is an arbitrary one.",
    body: resetRequestSchema,
    checked: resetRequestSchema,
    reply: resetEnvelopeSchema,
    invalidStatus: 422,
  } as const;
  return postRoute(shape, (request) => {
    const player = newPlayer(service.newId());
    return JSON.stringify(resetEnvironment(service, player, request));
  });
}

function stepRoute(service: Service): Route {
  const shape = {
    path: "/step",
    tag,
    summary: "OpenEnv: answer the trace that the action names.",
    body: stepRequestSchema,
    // The action's form is told by its fields, which gives better messages than a union does.
    checked: stepRequestSchema.extend({ action: z.looseObject({}) }),
    reply: stepEnvelopeSchema,
    invalidStatus: 422,
  } as const;
  return postRoute(shape, ({ action }) => {
    if (typeof action["trace_id"] !== "string") {
      throw new SteerError(
        "invalid",
        "action.trace_id: required over HTTP, where no reset is remembered: send the trace_id of the reset's observation, or use the WebSocket /ws",
      );
    }
    return JSON.stringify(stepEnvironment(service, newPlayer(""), action));
  });
}

function aboutRoutes({ versions, traces }: Service): Route[] {
  const about = traces ? `Traces of ${traces.name}.` : "No set is loaded.";
  const metadata = {
    name: NAME,
    description: `One decision an episode: should the agent act, ask, wait, remember or forget? ${about}`,
    version: versions.version,
  };
  const schemas = {
    action: z.toJSONSchema(textActionSchema, { io: "input" }),
    observation: z.toJSONSchema(stepObservationSchema),
    reset_observation: z.toJSONSchema(resetObservationSchema),
    state: z.toJSONSchema(stateSchema),
  };
  const schemaText = JSON.stringify(schemas);
  const jsonSchema = z.record(z.string(), z.unknown());
  return [
    getRoute(
      { path: "/state", tag, summary: "OpenEnv: the state before a reset.", reply: stateSchema },
      () => JSON.stringify(stateOf(newPlayer(""))),
    ),
    getRoute(
      {
        path: "/schema",
        tag,
        summary: "OpenEnv: JSON Schemas of action, observations and state.",
        reply: z.strictObject({
          action: jsonSchema,
          observation: jsonSchema,
          reset_observation: jsonSchema,
          state: jsonSchema,
        }),
      },
      () => schemaText,
    ),
    getRoute(
      {
        path: "/metadata",
        tag,
        summary: "OpenEnv: what this environment is.",
        reply: z.strictObject({ name: z.string(), description: z.string(), version: z.string() }),
      },
      () => JSON.stringify(metadata),
    ),
  ];
}

function mcpRoute(): Route {
  const shape = {
    path: "/mcp",
    tag,
    summary: "OpenEnv: JSON-RPC 2.0. There are no tools.",
    body: z.record(z.string(), z.unknown()),
    checked: z.unknown(),
    reply: jsonRpcReplySchema,
    invalidStatus: 400,
  } as const;
  return postRoute(shape, (request) => JSON.stringify(answerJsonRpc(request)));
}
