import { once } from "node:events";
import { expect, test } from "vitest";
import { frameOf, openWebSocket } from "./raw-websocket.ts";
import { answerOf, demoTraces, start } from "./support.ts";

const step = (answer: unknown) => ({ type: "step", data: { answer } });

/** Waits until the server has as many sessions. */
async function untilSessions(size: () => number, expected: number): Promise<void> {
  while (size() !== expected) await new Promise((resolve) => setImmediate(resolve));
}

test("a session resets, steps, tells its state and goes on to the next episode", async () => {
  const server = await start({ traces: await demoTraces() });
  const client = await openWebSocket(server.port);
  const reset = await client.ask({ type: "reset", data: { seed: 3, episode_id: "e" } });
  expect(reset).toMatchObject({ type: "observation", data: { reward: null, done: false } });
  const { trace_id } = reset.data.observation;
  expect(await client.ask({ type: "state" })).toEqual({
    type: "state",
    data: { episode_id: "e", step_count: 0, trace_id },
  });
  const { data } = await client.ask(step(answerOf("ACT")));
  expect(data).toMatchObject({ done: true, observation: { trace_id, messages: [], prompt: "" } });
  expect((await client.ask({ type: "state" })).data.step_count).toBe(1);
  const next = await client.ask({ type: "reset" });
  expect(next.data.observation.trace_id).not.toBe(trace_id);
  expect(next.data.metadata.episode_id).not.toBe("e");
});

test("many sessions run at once, each with its own order of traces", async () => {
  const server = await start({ traces: await demoTraces() });
  const play = async (seed: number) => {
    const client = await openWebSocket(server.port);
    const traces: string[] = [];
    for (let n = 0; n < 4; n++) {
      const data = n === 0 ? { seed } : {};
      const reset = await client.ask({ type: "reset", data });
      traces.push(reset.data.observation.trace_id);
      const { data: done } = await client.ask(step(answerOf("ASK")));
      expect(done.observation.trace_id).toBe(traces[n]);
    }
    return traces;
  };
  const together = await Promise.all([1, 2, 3, 1, 2, 3].map(play));
  expect(together.slice(3)).toEqual(together.slice(0, 3));
  expect(together[0]).not.toEqual(together[1]);
});

test("both forms of an answer are taken, and a named trace needs no reset", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  const [{ id, label } = { id: "", label: "ACT" }] = traces.sides.train;
  const client = await openWebSocket(server.port);
  const text = await client.ask({ type: "step", data: { answer: label, trace_id: id } });
  expect(text.data).toMatchObject({ reward: 1, observation: { pre_parsed: false } });
  const parsed = await client.ask({
    type: "step",
    data: { intervention: label, reason: "r", trace_id: id },
  });
  expect(parsed.data).toMatchObject({ reward: 1, observation: { pre_parsed: true } });
});

test("a step that names another episode than the running one is refused", async () => {
  const server = await start({ traces: await demoTraces() });
  const client = await openWebSocket(server.port);
  await client.ask({ type: "reset", data: { seed: 1, readout: "decision" } });
  for (const other of [{ trace_id: "t" }, { readout: "generative" }, { scheme: "symmetric" }]) {
    const { data } = await client.ask({ type: "step", data: { answer: "A", ...other } });
    expect([data.code, data.message]).toEqual([
      ...["EXECUTION_ERROR", expect.stringContaining("the running episode has")],
    ]);
  }
  const same = { answer: "A", readout: "decision", scheme: "asymmetric" };
  expect((await client.ask({ type: "step", data: same })).data.done).toBe(true);
});

test.each([
  ["not JSON", "{", "INVALID_JSON"],
  ["NaN", '{"type":"reset","data":{"seed":NaN}}', "INVALID_JSON"],
  ["deep nesting", "[".repeat(50_000), "INVALID_JSON"],
  ["no object", "7", "UNKNOWN_TYPE"],
  ["an unknown type", { type: "stop" }, "UNKNOWN_TYPE"],
  ["a message with a stray field", { type: "state", data: {} }, "VALIDATION_ERROR"],
  ["a step without data", { type: "step" }, "VALIDATION_ERROR"],
  ["an answer that is no text", step(5), "VALIDATION_ERROR"],
  ["an answer that is null", step(null), "VALIDATION_ERROR"],
  ["an action of neither form", { type: "step", data: { action: "ACT" } }, "VALIDATION_ERROR"],
  ["a broken seed", { type: "reset", data: { seed: -1 } }, "VALIDATION_ERROR"],
  ["a trace that is not there", { type: "reset", data: { trace_id: "t" } }, "EXECUTION_ERROR"],
  ["a held-out side", { type: "reset", data: { split: "test" } }, "EXECUTION_ERROR"],
])("%s is an error of its own, and the episode goes on", async (_, message, code) => {
  const server = await start({ traces: await demoTraces() });
  const client = await openWebSocket(server.port);
  await client.ask({ type: "reset", data: { seed: 1 } });
  const error = await client.ask(message);
  expect(error).toMatchObject({ type: "error", data: { code, message: expect.any(String) } });
  expect((await client.ask(step("?"))).data.observation.outcome).toBe("unreadable");
});

test("a step out of order is an execution error", async () => {
  const server = await start({ traces: await demoTraces() });
  const client = await openWebSocket(server.port);
  expect((await client.ask(step("ACT"))).data.code).toBe("EXECUTION_ERROR");
  await client.ask({ type: "reset" });
  await client.ask(step("ACT"));
  expect((await client.ask(step("ACT"))).data).toEqual({
    code: "EXECUTION_ERROR",
    message: "the episode is over or was never begun: reset first",
  });
});

test("close, hanging up, broken frames and over-long messages end the session only", async () => {
  const server = await start({ traces: await demoTraces(), limits: { bodyBytes: 1000 } });
  const { sessions } = server.service;
  const open = () => openWebSocket(server.port);
  const [closing, hanging, broken, long, good] = await Promise.all([
    ...([open(), open(), open(), open(), open()] as const),
  ]);
  await untilSessions(() => sessions.size, 5);
  closing.send({ type: "close" });
  hanging.socket.resetAndDestroy();
  broken.socket.write(Buffer.from([0xff, 0x00, 0x00, 0x00]));
  long.send("x".repeat(2000));
  await untilSessions(() => sessions.size, 1);
  expect((await good.ask({ type: "reset" })).type).toBe("observation");
  expect(server.logged).toEqual([]);
});

test("pings are answered and never needed", async () => {
  const server = await start({ traces: await demoTraces() });
  const client = await openWebSocket(server.port);
  client.socket.write(frameOf(9, Buffer.from("hello")));
  const text = await client.until(/hello/);
  const PONG = 0x8a;
  expect(text.charCodeAt(text.indexOf("hello") - 2)).toBe(PONG);
});

test("a session beyond the most gets CAPACITY_REACHED with the counts, and a free place later", async () => {
  const server = await start({ traces: await demoTraces(), limits: { sessions: 1 } });
  const first = await openWebSocket(server.port);
  await first.ask({ type: "reset" });
  const second = await openWebSocket(server.port);
  expect(await second.next()).toMatchObject({
    type: "error",
    data: { code: "CAPACITY_REACHED", active_sessions: 1, max_sessions: 1 },
  });
  first.socket.destroy();
  await once(first.socket, "close");
  await untilSessions(() => server.service.sessions.size, 0);
  const third = await openWebSocket(server.port);
  expect((await third.ask({ type: "reset" })).type).toBe("observation");
});

test("an idle session is told so and closed, also when its next message comes too late", async () => {
  let now = 0;
  const server = await start({
    traces: await demoTraces(),
    limits: { sessionIdleMs: 1000 },
    now: () => now,
  });
  const client = await openWebSocket(server.port);
  await client.ask({ type: "reset" });
  const late = await openWebSocket(server.port);
  await late.ask({ type: "reset" });
  now = 1000;
  expect((await late.ask({ type: "state" })).data.code).toBe("SESSION_ERROR");
  server.service.sessions.expire();
  expect((await client.next()).data.code).toBe("SESSION_ERROR");
  const fresh = await openWebSocket(server.port);
  expect((await fresh.ask({ type: "reset" })).type).toBe("observation");
});

test("without a set, a reset says how to load one", async () => {
  const client = await openWebSocket((await start()).port);
  const { data } = await client.ask({ type: "reset" });
  expect(data.code).toBe("EXECUTION_ERROR");
  expect(data.message).toContain("SET --split FILE");
});
