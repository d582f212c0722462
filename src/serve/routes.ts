import { infoRoutes } from "./info-routes.ts";
import { nemoRoutes } from "./nemo/routes.ts";
import { openEnvRoutes } from "./openenv/routes.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";
import { advantagesRoute } from "./v1/advantages-route.ts";
import { episodeRoutes } from "./v1/episode-routes.ts";
import { scoreRoute } from "./v1/score-route.ts";

/** Every HTTP route of the server but the OpenAPI document, which is made from them. */
export function allRoutes(service: Service): Route[] {
  return [
    ...infoRoutes(service),
    scoreRoute(service),
    advantagesRoute(service),
    ...episodeRoutes(service),
    ...openEnvRoutes(service),
    ...nemoRoutes(service),
  ];
}
