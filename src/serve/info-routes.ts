import { z } from "zod";
import { getRoute, type Route } from "./route.ts";
import type { Service } from "./service.ts";

/** Name of this server and of its OpenEnv environment. */
export const NAME = "steerbench";

const healthSchema = z.strictObject({ status: z.literal("healthy") });

const versionSchema = z.strictObject({
  name: z.literal(NAME),
  version: z.string(),
  scorer_version: z.string(),
  vectors_sha256: z.string(),
  prompt_version: z.string(),
  /** Names of the schemes that requests may use, the standard one first. */
  schemes: z.array(z.string()),
  /** The loaded set; null when there is none. */
  set: z
    .strictObject({ name: z.string(), digest: z.string(), allows_test: z.boolean() })
    .nullable(),
});

/** `GET /`, `/health` and `/version`. */
export function infoRoutes({ versions, schemes, traces }: Service): Route[] {
  const { standard, byName } = schemes;
  const others = [...byName.keys()].filter((name) => name !== standard.name);
  const set = traces && {
    name: traces.name,
    digest: traces.digest,
    allows_test: traces.allowsTest,
  };
  const version = { name: NAME, ...versions, schemes: [standard.name, ...others], set };
  return [
    getRoute(
      {
        path: "/",
        tag: "server",
        summary: "Says that the server runs, and where it is described.",
        reply: z.strictObject({
          name: z.literal(NAME),
          status: z.literal("healthy"),
          openapi: z.string(),
        }),
      },
      () => JSON.stringify({ name: NAME, status: "healthy", openapi: "/openapi.json" }),
    ),
    getRoute(
      {
        path: "/health",
        tag: "server",
        summary: "Says that the server runs.",
        reply: healthSchema,
      },
      () => JSON.stringify({ status: "healthy" }),
    ),
    getRoute(
      {
        path: "/version",
        tag: "server",
        summary: "What is served: versions of package, scorer and prompts, hash of the vectors.",
        reply: versionSchema,
      },
      () => JSON.stringify(version),
    ),
  ];
}
