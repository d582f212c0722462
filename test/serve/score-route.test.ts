import { expect, test } from "vitest";
import { SteerError } from "../../src/core/errors.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { answerOf, demoTraces, post, start } from "./support.ts";

const METRIC_KEYS = [
  ...["correct", "premature_act", "missed_act", "wrong", "unreadable", "cut_off"],
  ...["acc", "pred", "strict_ok", "lenient_ok", "empty", "finish_known"],
];

test("gives both parses, the outcome, every scheme's reward and the fixed metrics", async () => {
  const server = await start();
  const items = [{ id: "a", answer: `Sure: ${answerOf("ACT")}`, gold: "ASK", finish: "stop" }];
  const { status, body } = await post(server, "/v1/score", { items });
  expect(status).toBe(200);
  expect(body).toEqual({
    scheme: "asymmetric",
    results: [
      {
        id: "a",
        gold: "ASK",
        strict: { label: null, reason: "not_one_object" },
        lenient: { label: "ACT" },
        outcome: "premature_act",
        reward: -1,
        rewards: { symmetric: 0, asymmetric: -1 },
        metrics: {
          ...{ correct: 0, premature_act: 1, missed_act: 0, wrong: 0, unreadable: 0, cut_off: 0 },
          ...{ acc: 0, pred: "ACT", strict_ok: 0, lenient_ok: 1, empty: 0, finish_known: 1 },
        },
      },
    ],
  });
});

test("keeps the metric keys whatever became of the answer, and answers an empty batch", async () => {
  const server = await start();
  const answers = [answerOf("ACT"), "", "?", answerOf("WAIT"), "<think>"];
  const items = answers.flatMap((answer) => [
    { answer, gold: "ACT" },
    { answer, gold: "WAIT", finish: "length" },
  ]);
  const { body } = await post(server, "/v1/score", { items });
  for (const { metrics } of body.results) expect(Object.keys(metrics)).toEqual(METRIC_KEYS);
  expect(body.results.map(({ metrics }: { metrics: { empty: number } }) => metrics.empty)).toEqual([
    0, 0, 1, 1, 0, 0, 0, 0, 0, 0,
  ]);
  expect((await post(server, "/v1/score", { items: [] })).body.results).toEqual([]);
});

test("F01: an answer without a readable gold label is an item error, never a reward", async () => {
  const server = await start();
  const golds = [undefined, null, "Ask ", "ESCALATE", "act", "", 1, ["ACT"]];
  const items = golds.map((gold, id) => ({ id, answer: answerOf("ACT"), gold }));
  const { status, body } = await post(server, "/v1/score", { items });
  expect(status).toBe(200);
  for (const [k, result] of body.results.entries()) {
    expect(result).toMatchObject({ id: k, reward: null, error: { code: "invalid" } });
    expect(result.error.message).toMatch(/^gold: /);
  }
  expect(body.results[2].error.message).toContain('did you mean "ASK"?');
});

test("F03: one item that lacks its answer costs only its own place", async () => {
  const server = await start();
  const items: object[] = Array.from({ length: 8 }, (_, id) => ({
    id,
    answer: answerOf("ACT"),
    gold: "ACT",
  }));
  items[4] = { id: 4, gold: "ACT" };
  const { status, body } = await post(server, "/v1/score", { items });
  expect(status).toBe(200);
  expect(body.results).toHaveLength(8);
  for (const [k, { id, reward, error }] of body.results.entries()) {
    expect(id).toBe(k);
    expect(reward).toBe(k === 4 ? null : 1);
    expect(error?.message).toBe(k === 4 ? "answer: required field is missing" : undefined);
  }
});

test("items that are no objects, or hold the wrong types, are item errors", async () => {
  const server = await start();
  const wrong = [null, 1, "ACT", [], {}, { answer: null, gold: "ACT" }, { answer: 5, gold: "ACT" }];
  const more = [
    { answer: "x", gold: "ACT", letters: ["ACT"] },
    { answer: "x", gold: "ACT", finish: 1 },
  ];
  const { status, body } = await post(server, "/v1/score", { items: [...wrong, ...more] });
  expect(status).toBe(200);
  for (const result of body.results) {
    expect(result).toMatchObject({ id: null, reward: null, error: { code: "invalid" } });
  }
});

test("F07: results stand in input order, each with its id", async () => {
  const server = await start();
  const batch = (size: number) => ({
    items: Array.from({ length: size }, (_, k) => ({
      id: `${size}/${k}`,
      answer: answerOf(k % 2 === 0 ? "ACT" : "ASK", "x".repeat((k * 977) % 5000)),
      gold: "ACT",
    })),
  });
  const sizes = [1, 300, 7, 2000, 64];
  const replies = await Promise.all(sizes.map((size) => post(server, "/v1/score", batch(size))));
  for (const [n, { body }] of replies.entries()) {
    const expected = batch(sizes[n] ?? 0).items.map(({ id }, k) => [id, k % 2 === 0 ? 1 : -0.25]);
    const got = body.results.map(({ id, reward }: { id: string; reward: number }) => [id, reward]);
    expect(got).toEqual(expected);
  }
});

test("F11: an internal error on one item is said there, with a null reward and no stack", async () => {
  const traces = await demoTraces();
  const broken = {
    ...traces,
    labelOf(traceId: string) {
      if (traceId === "boom") throw new Error("secret detail");
      return traces.labelOf(traceId);
    },
  };
  const server = await start({ traces: broken });
  const [{ id, label } = { id: "", label: "ACT" }] = traces.sides.train;
  const items = Array.from({ length: 8 }, (_, k) => ({
    id: k,
    answer: answerOf(label),
    trace_id: k === 3 ? "boom" : id,
  }));
  const { status, body } = await post(server, "/v1/score", { items });
  expect(status).toBe(200);
  expect(body.results.map(({ reward }: { reward: number }) => reward)).toEqual([
    ...[1, 1, 1, null, 1, 1, 1, 1],
  ]);
  expect(body.results[3].error.code).toBe("internal");
  expect(JSON.stringify(body)).not.toContain("secret detail");
  expect(server.logged.join("")).toContain("secret detail");
});

test("F17: only the answer that hit its limit gets the cut-off reward", async () => {
  const server = await start();
  const items = [undefined, "stop", "length", null].map((finish) => ({
    answer: answerOf("ACT"),
    gold: "ACT",
    finish,
  }));
  const { body } = await post(server, "/v1/score", { items, scheme: "symmetric" });
  const rewards = body.results.map(({ reward }: { reward: number }) => reward);
  expect(rewards).toEqual([1, 1, -0.1, 1]);
  const known = body.results.map(
    ({ metrics }: { metrics: { finish_known: number } }) => metrics.finish_known,
  );
  expect(known).toEqual([0, 1, 1, 0]);
});

test("reads lettered replies with the letters that come along", async () => {
  const server = await start();
  const letters = ["WAIT", "REMEMBER", "FORGET", "ACT", "ASK"];
  const { body } = await post(server, "/v1/score", {
    items: [{ answer: "E", gold: "ASK", letters }],
  });
  expect(body.results[0]).toMatchObject({ outcome: "correct", strict: { label: "ASK" } });
});

test("takes the gold label of a trace from the loaded set, and refuses a contradiction", async () => {
  const traces = await demoTraces();
  const server = await start({ traces });
  const [{ id, label } = { id: "", label: "ACT" }] = traces.sides.train;
  const other = label === "ASK" ? "WAIT" : "ASK";
  const answer = answerOf(label);
  const items = [
    { answer, trace_id: id },
    { answer, trace_id: id, gold: label },
    { answer, trace_id: id, gold: other },
    { answer, trace_id: "t-none", gold: label },
  ];
  const { body } = await post(server, "/v1/score", { items });
  expect(body.results.slice(0, 2)).toMatchObject([
    { reward: 1, gold: label },
    { reward: 1, gold: label },
  ]);
  expect(body.results[2]).toMatchObject({ reward: null, error: { code: "mismatch" } });
  expect(body.results[3]).toMatchObject({ reward: null, error: { code: "not_found" } });
});

test("held-out traces have no gold label unless the server was started with --allow-test", async () => {
  const [closed, open] = [await demoTraces(), await demoTraces(true)];
  const [{ id, label } = { id: "", label: "ACT" }] = open.sides.test;
  const items = [{ answer: answerOf(label), trace_id: id, gold: label }];
  const [refused, scored] = await Promise.all(
    [closed, open].map(async (traces) => post(await start({ traces }), "/v1/score", { items })),
  );
  expect(refused?.body.results[0]).toMatchObject({ reward: null, error: { code: "held_out" } });
  expect(refused?.body.results[0].error.message).toContain("--allow-test");
  expect(scored?.body.results[0].reward).toBe(1);
});

test("a bare trace id without a set is an item error; with a gold label it is only a name", async () => {
  const server = await start();
  const items = [
    { answer: answerOf("ACT"), trace_id: "t-1" },
    { answer: answerOf("ACT"), trace_id: "t-1", gold: "ACT" },
  ];
  const { body } = await post(server, "/v1/score", { items });
  expect(body.results[0]).toMatchObject({ reward: null, error: { code: "state" } });
  expect(body.results[1].reward).toBe(1);
});

test("the key itself throws only errors that name the trace", async () => {
  const traces = await demoTraces();
  expect(() => traces.labelOf("t-none")).toThrow(SteerError);
  expect(() => traces.labelOf("__proto__")).toThrow(/no trace "__proto__"/);
});

test("schemes come by name or as objects; the first named one gives reward and outcome", async () => {
  const server = await start();
  const items = [{ answer: `I say ${answerOf("ASK")}`, gold: "ASK" }];
  const strict = { ...SCHEMES.symmetric, name: "strict-one", parse: "strict" };
  const choose = async (choice: object) => {
    const { body } = await post(server, "/v1/score", { items, ...choice });
    const { outcome, reward, rewards, metrics } = body.results[0];
    return [body.scheme, outcome, reward, rewards, metrics.pred];
  };
  expect(await choose({ scheme: "symmetric" })).toEqual([
    ...["symmetric", "correct", 1, { symmetric: 1 }, "ASK"],
  ]);
  expect(await choose({ scheme: strict })).toEqual([
    ...["strict-one", "unreadable", -0.1, { "strict-one": -0.1 }, null],
  ]);
  expect(await choose({ scheme: "asymmetric", schemes: [strict, "symmetric"] })).toEqual([
    ...["asymmetric", "correct", 1, { asymmetric: 1, "strict-one": -0.1, symmetric: 1 }, "ASK"],
  ]);
});

test("unknown, broken and dominated schemes are refused, naming the fault", async () => {
  const server = await start();
  const refuse = async (scheme: unknown) => {
    const { status, body } = await post(server, "/v1/score", { items: [], scheme });
    return [status, body.error.code, body.error.message];
  };
  expect(await refuse("symetric")).toEqual([
    ...[400, "usage", expect.stringContaining("did you mean symmetric?")],
  ]);
  const { wrong: _, ...five } = SCHEMES.symmetric.prices;
  expect(await refuse({ ...SCHEMES.symmetric, prices: five })).toEqual([
    ...[400, "invalid", "prices.wrong: required field is missing"],
  ]);
  const prices = { ...SCHEMES.symmetric.prices, unreadable: 0.5 };
  expect(await refuse({ ...SCHEMES.symmetric, prices })).toEqual([
    ...[400, "dominated", expect.stringContaining("gold ACT, answer ASK")],
  ]);
  const free = await start({ allowDominated: true });
  const scheme = { ...SCHEMES.symmetric, name: "odd", prices };
  const items = [{ answer: "?", gold: "ASK" }];
  expect((await post(free, "/v1/score", { items, scheme })).body.results[0].reward).toBe(0.5);
});
