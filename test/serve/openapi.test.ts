import { expect, test } from "vitest";
import { allRoutes } from "../../src/serve/routes.ts";
import { answerOf, demoTraces, get, makeService, post, start } from "./support.ts";

test("the document describes every route, OpenEnv's three together, in OpenAPI 3.1", async () => {
  const server = await start();
  const { body } = await get(server, "/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  expect(body.info).toMatchObject({ title: "steerbench", version: "0.0.0" });
  for (const { path, method } of allRoutes(makeService().service)) {
    expect(body.paths[path]).toHaveProperty(method.toLowerCase());
  }
  expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(["/reset", "/step", "/state"]));
  const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(body).not.toHaveProperty("security");
});

test("the document names every field of an item, and the token where one is asked for", async () => {
  const server = await start({ token: "s3cret" });
  const { body } = await get(server, "/openapi.json", { authorization: "Bearer s3cret" });
  expect(body.security).toEqual([{ bearer: [] }]);
  const { schema } = body.paths["/v1/score"].post.requestBody.content["application/json"];
  expect(Object.keys(schema.properties.items.items.properties)).toEqual([
    ...["id", "answer", "gold", "trace_id", "finish", "letters", "prompt"],
  ]);
  expect(JSON.stringify(body)).not.toContain("s3cret");
});

test("good replies have the form that the document gives", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  const routes = new Map(allRoutes(server.service).map((route) => [route.path, route]));
  const check = (path: string, reply: { status: number; body: unknown }) => {
    expect([path, reply.status]).toEqual([path, 200]);
    const result = routes.get(path)?.reply.safeParse(reply.body);
    expect([path, result?.error]).toEqual([path, undefined]);
  };
  for (const { path, method } of routes.values()) {
    if (method === "GET") check(path, await get(server, path));
  }
  const [{ id } = { id: "" }] = traces.sides.train;
  const items = [
    { answer: answerOf("ACT"), gold: "ACT" },
    { answer: "?" },
    { answer: "", trace_id: id },
  ];
  check("/v1/score", await post(server, "/v1/score", { items }));
  const groups = [{ outcomes: ["correct", "wrong"] }, { items }, { outcomes: ["wrong"] }];
  check("/v1/advantages", await post(server, "/v1/advantages", { groups }));
  const reset = await post(server, "/v1/reset", { readout: "decision" });
  check("/v1/reset", reset);
  const { session } = reset.body;
  check("/v1/step", await post(server, "/v1/step", { session, answer: "A" }));
  check("/reset", await post(server, "/reset", {}));
  for (const form of [{ answer: "?" }, { intervention: "ACT", reason: "r" }]) {
    check("/step", await post(server, "/step", { action: { ...form, trace_id: id } }));
  }
  check("/mcp", await post(server, "/mcp", {}));
  check("/seed_session", await post(server, "/seed_session", {}));
  check("/close_session", await post(server, "/close_session", { resources_session_id: "s" }));
  const response = { output: [], status: "completed" };
  const row = { responses_create_params: {}, response, trace_id: id };
  const verified = await post(server, "/verify", row);
  check("/verify", verified);
  const replies = { verify_responses: [verified.body] };
  check("/aggregate_metrics", await post(server, "/aggregate_metrics", replies));
});

test("version tells what is served", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  expect((await get(server, "/version")).body).toEqual({
    name: "steerbench",
    version: "0.0.0",
    scorer_version: "1",
    vectors_sha256: "0".repeat(64),
    prompt_version: "1",
    schemes: ["asymmetric", "symmetric"],
    set: { name: traces.name, digest: traces.digest, allows_test: false },
  });
  expect((await get(server, "/health")).body).toEqual({ status: "healthy" });
  expect((await get(server, "/")).status).toBe(200);
});
