import { z } from "zod";
import { getRoute, postRoute, type Route } from "../route.ts";
import type { Service } from "../service.ts";
import { aggregate } from "./aggregate.ts";
import { verifyRoute } from "./verify-route.ts";

const tag = "nemo-gym";

/** A NeMo Gym resources server that keeps no state: any verify can be repeated. */
export function nemoRoutes(service: Service): Route[] {
  return [
    sessionRoute("/seed_session", "NeMo Gym: begin a rollout. Nothing is kept."),
    sessionRoute("/close_session", "NeMo Gym: end a rollout. Nothing was kept."),
    verifyRoute(service),
    aggregateRoute(),
    getRoute(
      {
        path: "/reverify_mode",
        tag,
        summary: "NeMo Gym: whether stored rollouts can be verified again.",
        reply: z.literal("stateless"),
      },
      () => JSON.stringify("stateless"),
    ),
  ];
}

function sessionRoute(path: string, summary: string): Route {
  const body = z.looseObject({ resources_session_id: z.string().nullish() });
  const reply = z.strictObject({ resources_session_id: z.string().exactOptional() });
  const shape = { path, tag, summary, body, checked: body, reply, invalidStatus: 422 } as const;
  return postRoute(shape, ({ resources_session_id: id }) =>
    JSON.stringify(id ? { resources_session_id: id } : {}),
  );
}

function aggregateRoute(): Route {
  const body = z.looseObject({ verify_responses: z.array(z.record(z.string(), z.unknown())) });
  const summary = z.record(z.string(), z.number());
  const shape = {
    path: "/aggregate_metrics",
    tag,
    summary: "NeMo Gym: mean, max, min, median and std of every number that verify gave.",
    body,
    checked: body,
    reply: z.strictObject({
      group_level_metrics: z.array(summary),
      agent_metrics: summary,
      key_metrics: summary,
    }),
    invalidStatus: 422,
  } as const;
  return postRoute(shape, ({ verify_responses }) => JSON.stringify(aggregate(verify_responses)));
}
