import { expect, test } from "vitest";
import { pay, SCHEMES } from "../../src/task/scheme.ts";
import { answerOf, demoTraces, get, post, start } from "./support.ts";

test("a reset shows the situation with neither reward nor end, and the answer is not among it", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  const { status, body } = await post(server, "/reset", { seed: 3, episode_id: "e-1", extra: 1 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ reward: null, done: false, metadata: { episode_id: "e-1" } });
  const { observation } = body;
  expect(observation.messages.map(({ role }: { role: string }) => role)).toEqual([
    "system",
    "user",
  ]);
  expect(observation.prompt).toContain("Observation:");
  expect(Object.keys(observation)).not.toContain("gold");
  const again = await post(server, "/reset", { seed: 3 });
  expect(again.body.observation.trace_id).toBe(observation.trace_id);
  expect((await post(server, "/reset", "")).status).toBe(200);
});

test.each(["scheem", "Scheme", "shceme", "readuot", "spilt", "trace", "traceId"])(
  "a reset's field that looks like a slip is refused, not left alone: %s",
  async (slip) => {
    const server = await start({ traces: await demoTraces() });
    const reply = await post(server, "/reset", { [slip]: "symmetric" });
    expect(reply.status).toBe(422);
    expect(reply.body.error.message).toContain(`unknown field "${slip}"; did you mean`);
    const others = { timeout_s: 5, request_id: "r", options: {}, env_id: 1, part: "train" };
    expect((await post(server, "/reset", others)).status).toBe(200);
  },
);

test("a step answers the trace it names, without any reset", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  for (const { id, label } of traces.sides.train.slice(0, 10)) {
    const action = { answer: answerOf(label), trace_id: id, finish: "stop" };
    const { body } = await post(server, "/step", { action, timeout_s: 5, request_id: "r" });
    expect(body).toMatchObject({ reward: 1, done: true });
    expect(body.observation).toMatchObject({ outcome: "correct", gold: label, pre_parsed: false });
    expect(body.observation.metrics).toMatchObject({ correct: 1, strict_ok: 1, finish_known: 1 });
    expect(body.metadata).toEqual(body.observation.metadata);
    expect(body.metadata).toMatchObject({ outcome: "correct", acc: 1 });
  }
});

test("a reply that was parsed before is written out again and flagged", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  const [{ id, label } = { id: "", label: "ACT" }] = traces.sides.train;
  const step = async (action: object) => {
    const { body } = await post(server, "/step", { action: { ...action, trace_id: id } });
    const { outcome, pre_parsed, strict, lenient } = body.observation;
    return [outcome, pre_parsed, strict.label, lenient.label];
  };
  expect(await step({ intervention: label, reason: "r" })).toEqual(["correct", true, label, label]);
  expect(await step({ intervention: label })).toEqual(["correct", true, null, label]);
  expect(await step({ intervention: label, reason: "r", confidence: 0.5 })).toEqual([
    ...["correct", true, label, label],
  ]);
  expect(await step({ intervention: "DEPLOY", reason: "r" })).toEqual([
    ...["unreadable", true, null, null],
  ]);
  expect(await step({ intervention: 5 })).toEqual(["unreadable", true, null, null]);
});

test("a step says again how the reset was: the readout's letters and the scheme", async () => {
  const server = await start({ traces: await demoTraces() });
  const { body: reset } = await post(server, "/reset", { readout: "decision", seed: 3 });
  const { trace_id, letters } = reset.observation;
  const step = async (more: object) => {
    const { body } = await post(server, "/step", { action: { answer: "C", trace_id, ...more } });
    return [body.observation.lenient.label, body.reward];
  };
  const gold = server.service.traces?.labelOf(trace_id) ?? "ACT";
  const reward = pay(SCHEMES.asymmetric, gold, letters[2]);
  expect(await step({ readout: "decision" })).toEqual([letters[2], reward]);
  expect(await step({})).toEqual([null, -0.5]);
  expect(await step({ scheme: "symmetric" })).toEqual([null, -0.1]);
});

test.each([
  [{ action: { answer: 5, trace_id: "t" } }, "answer: expected a string, not 5"],
  [{ action: { answer: null, trace_id: "t" } }, "answer: expected a string, not null"],
  [{ action: { trace_id: "t" } }, "answer: required field is missing"],
  [{ action: { answer: "x", trace_id: "t", anwser: "y" } }, 'unknown field "anwser"'],
  [{ action: { answer: "x" } }, "action.trace_id: required over HTTP"],
  [{ action: "x" }, "action: expected an object"],
  [{}, "action: required field is missing"],
  [{ action: { answer: "x", trace_id: "t" }, timeout_s: 0 }, "timeout_s: 0 must be above 0"],
])("the step %j gives 422 and says why", async (request, message) => {
  const server = await start({ traces: await demoTraces() });
  const { status, body } = await post(server, "/step", request);
  expect(status).toBe(422);
  expect(body.error.message).toContain(message);
});

test.each([
  [{ seed: -1 }, 422, "seed: -1 must not be negative"],
  [{ seed: 1.5 }, 422, "seed: "],
  [{ episode_id: "x".repeat(256) }, 422, "episode_id: "],
  [{ split: "test" }, 403, "--allow-test"],
  [{ trace_id: "t-none" }, 404, 'no trace "t-none"'],
])("the reset %j is refused", async (request, status, message) => {
  const server = await start({ traces: await demoTraces() });
  const reply = await post(server, "/reset", request);
  expect(reply.status).toBe(status);
  expect(reply.body.error.message).toContain(message);
});

test("state, metadata and schema are there; the schema's action demands the one answer field", async () => {
  const server = await start();
  expect((await get(server, "/state")).body).toEqual({
    ...{ episode_id: null, step_count: 0, trace_id: null },
  });
  const { body: about } = await get(server, "/metadata");
  expect(about).toMatchObject({ name: "steerbench", description: expect.any(String) });
  const { body: schema } = await get(server, "/schema");
  expect(schema.action).toMatchObject({ type: "object", required: ["answer"] });
  expect(schema.observation.properties).toHaveProperty("outcome");
  expect(schema.reset_observation.properties).toHaveProperty("prompt");
  expect(schema.state.properties).toHaveProperty("step_count");
});

test("JSON-RPC is answered: no tools, unknown methods and broken requests are errors of its own", async () => {
  const server = await start();
  const ask = async (request: object) => (await post(server, "/mcp", request)).body;
  expect(await ask({})).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
  expect(await ask({ jsonrpc: "2.0", id: 1, method: "tools/list" })).toEqual({
    ...{ jsonrpc: "2.0", id: 1, result: { tools: [] } },
  });
  expect(await ask({ jsonrpc: "2.0", id: "a", method: "tools/call" })).toMatchObject({
    ...{ jsonrpc: "2.0", id: "a", error: { code: -32601 } },
  });
});
