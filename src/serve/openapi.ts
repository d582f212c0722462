import { z } from "zod";
import { NAME } from "./info-routes.ts";
import type { Route } from "./route.ts";
import { wireErrorSchema } from "./wire-error.ts";

const errorSchema = z.strictObject({ error: wireErrorSchema });

const BAD_STATUSES: Readonly<Record<string, string>> = {
  "4XX": "The request cannot be answered; the error says why and how to repair it.",
  "5XX": "The server cannot answer; the log says more.",
};

/**
 * The OpenAPI 3.1 document of the routes, from the very schemas that check requests.
 *
 * @param needsToken whether requests must carry a bearer token
 */
export function openApiDocument(
  routes: readonly Route[],
  { version, needsToken }: { readonly version: string; readonly needsToken: boolean },
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  const security = { bearer: { type: "http", scheme: "bearer" } };
  return {
    openapi: "3.1.0",
    info: {
      title: NAME,
      version,
      description:
        "Rewards for steering decisions, from the one scorer. The WebSocket /ws speaks OpenEnv's session protocol.",
    },
    ...(needsToken && { security: [{ bearer: [] }] }),
    paths,
    ...(needsToken && { components: { securitySchemes: security } }),
  };
}

function operation({ method, path, tag, summary, body, reply }: Route): object {
  const error = jsonContent(errorSchema, "output");
  const bad = Object.entries(BAD_STATUSES).map(
    ([status, description]) => [status, { description, content: error }] as const,
  );
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/_.](\w?)/g, (_, next: string) => next.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(body && { requestBody: { content: jsonContent(body, "input") } }),
    responses: {
      200: { description: "Answered.", content: jsonContent(reply, "output") },
      ...Object.fromEntries(bad),
    },
  };
}

function jsonContent(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return { "application/json": { schema: rest } };
}
