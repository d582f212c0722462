import { expect, test } from "vitest";
import { SteerEnv } from "../../src/env/env.ts";
import { newPlayer } from "../../src/serve/episodes.ts";
import { SessionStore } from "../../src/serve/sessions.ts";
import { answerOf, demoTraces, makeService, post, start } from "./support.ts";

test("an episode over HTTP is the environment's: the same traces, prompts and rewards", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  const env = new SteerEnv({ traces: traces.sides.train, seed: 7 });
  let session: string | undefined;
  for (let n = 0; n < 6; n++) {
    const request = n === 0 ? { seed: 7 } : { session };
    const { body: reset } = await post(server, "/v1/reset", request);
    session = reset.session;
    const own = env.reset();
    expect(reset.observation).toEqual(own.observation);
    expect(reset.info.trace_id).toBe(own.info.traceId);
    const answer = n % 2 === 0 ? answerOf("ACT") : "no idea";
    const finish = n === 4 ? "length" : "stop";
    const { body: step } = await post(server, "/v1/step", { session, answer, finish });
    const result = env.step(answer, finish);
    expect([step.reward, step.terminated, step.truncated]).toEqual([
      ...[result.reward, result.terminated, result.truncated],
    ]);
    expect(step.info.rewards).toEqual(result.info.rewards);
    expect(step.info.metrics).toMatchObject(result.info.metrics);
    expect(step.info.gold).toBe(result.info.gold);
  }
});

test("sessions do not disturb each other, even with the same seed and the same trace", async () => {
  const server = await start({ traces: await demoTraces() });
  const [a, b] = await Promise.all([
    post(server, "/v1/reset", { seed: 1 }),
    post(server, "/v1/reset", { seed: 1 }),
  ]);
  expect(a.body.session).not.toBe(b.body.session);
  expect(a.body.info).toEqual(b.body.info);
  const { body } = await post(server, "/v1/step", { session: b.body.session, answer: "?" });
  expect(body.info.outcome).toBe("unreadable");
  const again = await post(server, "/v1/step", { session: b.body.session, answer: "?" });
  expect([again.status, again.body.error.code]).toEqual([409, "state"]);
  const first = await post(server, "/v1/step", {
    session: a.body.session,
    answer: answerOf(body.info.gold),
  });
  expect(first.body.reward).toBe(1);
});

test("the decision readout shows letters and takes one", async () => {
  const server = await start({ traces: await demoTraces() });
  const { body: reset } = await post(server, "/v1/reset", { readout: "decision", seed: 3 });
  const { letters } = reset.info;
  expect(reset.observation.at(-1).content).toContain(`A) ${letters[0]}`);
  const { body } = await post(server, "/v1/step", { session: reset.session, answer: "C" });
  expect(body.info.metrics.pred).toBe(letters[2]);
});

test("a scheme is chosen by name; test traces need --allow-test", async () => {
  const [held, open] = [
    await start({ traces: await demoTraces() }),
    await start({ traces: await demoTraces(true) }),
  ];
  const { body } = await post(held, "/v1/reset", { scheme: "symmetric" });
  const { body: step } = await post(held, "/v1/step", { session: body.session, answer: "?" });
  expect(step.reward).toBe(-0.1);
  const refused = await post(held, "/v1/reset", { part: "test" });
  expect([refused.status, refused.body.error.code]).toEqual([403, "held_out"]);
  expect(held.service.sessions.size).toBe(1);
  const [{ id } = { id: "" }] = open.service.traces?.sides.test ?? [];
  expect((await post(held, "/v1/reset", { trace_id: id })).body.error.code).toBe("held_out");
  expect((await post(open, "/v1/reset", { trace_id: id })).body.info.trace_id).toBe(id);
  const test = await post(open, "/v1/reset", { part: "test", seed: 1 });
  expect(open.service.traces?.partOf(test.body.info.trace_id)).toBe("test");
  const train = await post(open, "/v1/reset", { seed: 1 });
  expect(open.service.traces?.partOf(train.body.info.trace_id)).toBe("train");
});

test.each([
  ["/v1/reset", {}, 409, "state", "start the server with SET --split FILE"],
  ["/v1/step", { session: "s", answer: "x" }, 404, "not_found", "no such session"],
  ["/v1/step", { answer: "x" }, 400, "invalid", "session: required field is missing"],
  ["/v1/reset", { sede: 1 }, 400, "invalid", 'unknown field "sede"'],
] as const)("%s with %j is refused", async (path, request, status, code, message) => {
  const server = await start();
  const reply = await post(server, path, request);
  expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  expect(reply.body.error.message).toContain(message);
});

test("a step that names another trace than the episode's is refused, and the episode goes on", async () => {
  const server = await start({ traces: await demoTraces() });
  const { body: reset } = await post(server, "/v1/reset", { seed: 1 });
  const step = (trace_id: string) =>
    post(server, "/v1/step", { session: reset.session, answer: "?", trace_id });
  expect((await step("t-other")).body.error.code).toBe("mismatch");
  expect((await step(reset.info.trace_id)).status).toBe(200);
});

test("sessions are bounded in number; a refused one takes no place", async () => {
  const server = await start({ traces: await demoTraces(), limits: { sessions: 2 } });
  expect((await post(server, "/v1/reset", { trace_id: "t-none" })).status).toBe(404);
  const opened = [await post(server, "/v1/reset", {}), await post(server, "/v1/reset", {})];
  expect(opened.map(({ status }) => status)).toEqual([200, 200]);
  const { status, body } = await post(server, "/v1/reset", {});
  expect([status, body.error.code]).toEqual([503, "busy"]);
  expect(body.error.message).toContain("2 sessions are open, which is the most");
  const { session } = opened[0]?.body ?? {};
  expect((await post(server, "/v1/reset", { session })).status).toBe(200);
});

test("an idle session ends, a used one goes on, and its place is free again", () => {
  let now = 0;
  const ended: string[] = [];
  let ids = 0;
  const newId = () => `s-${++ids}`;
  const store = new SessionStore<string>({ most: 2, idleMs: 1000, now: () => now, newId });
  const open = (name: string) =>
    store.open(
      () => name,
      () => ended.push(name),
    )?.id ?? "";
  const [a, b] = [open("a"), open("b")];
  now = 900;
  expect(store.use(b)).toBe("b");
  expect(store.open(() => "c")).toBeNull();
  now = 1000;
  store.expire();
  expect(ended).toEqual(["a"]);
  expect(() => store.use(a)).toThrow(/no such session, or it was idle/);
  expect(store.use(b)).toBe("b");
  const c = open("c");
  expect(store.size).toBe(2);
  store.close(c);
  expect(store.size).toBe(1);
  now = 2000;
  expect(() => store.use(b)).toThrow(/no such session/);
});

test("traces without a seed come in an order of the session's own", async () => {
  const { service } = makeService({ traces: await demoTraces() });
  const order = (seed: string) => {
    const player = newPlayer(seed);
    return Array.from({ length: 8 }, () => service.episodes.begin(player, {}).info.traceId);
  };
  expect(order("a")).toEqual(order("a"));
  expect(order("a")).not.toEqual(order("b"));
});
