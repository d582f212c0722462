import { expect, test } from "vitest";
import { SCHEMES } from "../../src/task/scheme.ts";
import { answerOf, demoTraces, get, post, start } from "./support.ts";

/** A Responses object that says one text. */
function responseOf(text: string, more: object = {}): object {
  return {
    ...{ id: "r", object: "response", created_at: 1, model: "m", tools: [], status: "completed" },
    output: [
      { id: "t", type: "reasoning", summary: [{ type: "summary_text", text: "I would ACT." }] },
      {
        ...{ id: "m", type: "message", role: "assistant", status: "completed" },
        content: [{ type: "output_text", text, annotations: [] }],
      },
    ],
    ...more,
  };
}

function rowOf(gold: unknown, more: object = {}): object {
  return {
    responses_create_params: { input: [{ role: "user", content: "q" }] },
    ...{ gold, domain: "coding", agent_ref: { type: "responses_api_agents", name: "a" }, ...more },
  };
}

test("verify echoes the row and adds the reward and every metric at the top level", async () => {
  const server = await start();
  const row = { ...rowOf("ASK", { _ng_task_index: 4 }), response: responseOf(answerOf("ACT")) };
  const { status, body } = await post(server, "/verify", row);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...row,
    reward: -1,
    outcome: "premature_act",
    ...{ correct: 0, premature_act: 1, missed_act: 0, wrong: 0, unreadable: 0, cut_off: 0 },
    ...{ acc: 0, pred: "ACT", strict_ok: 1, lenient_ok: 1, empty: 0, finish_known: 1 },
    ...{ mask_sample: false, failure_kind: null, failure_reason: null, scorer_version: "1" },
  });
});

test("the first scheme of the server gives the reward", async () => {
  const server = await start({ schemes: [SCHEMES.symmetric] });
  const row = { ...rowOf("ASK"), response: responseOf(answerOf("ACT")) };
  expect((await post(server, "/verify", row)).body.reward).toBe(0);
});

test.each([
  [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "cut_off", 1],
  [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "correct", 1],
  [{ status: "incomplete", incomplete_details: null }, "correct", 0],
  [{ status: null }, "correct", 0],
  [{ status: "completed", incomplete_details: null, error: null }, "correct", 1],
])("the response %j has the outcome %s", async (more, outcome, known) => {
  const server = await start();
  const row = { ...rowOf("ACT"), response: responseOf(answerOf("ACT"), more) };
  const { body } = await post(server, "/verify", row);
  expect(body).toMatchObject({ outcome, finish_known: known, mask_sample: false });
});

test("all output texts are read, refusals and tool calls are not", async () => {
  const server = await start();
  const text = (part: string) => ({ type: "output_text", text: part });
  const output = [
    { type: "function_call", name: "f", arguments: "{}" },
    {
      type: "message",
      content: [text('{"intervention": "AS'), { type: "refusal", refusal: "ACT" }],
    },
    { type: "message", content: [text('K", "reason": "r"}')] },
  ];
  const row = { ...rowOf("ASK"), response: responseOf("", { output }) };
  expect((await post(server, "/verify", row)).body).toMatchObject({ acc: 1, strict_ok: 1 });
  const nothing = { ...rowOf("ASK"), response: responseOf("", { output: [] }) };
  expect((await post(server, "/verify", nothing)).body).toMatchObject({
    ...{ outcome: "unreadable", empty: 1, mask_sample: false },
  });
});

test("F11: a response that failed on the model's side is masked, with the reason", async () => {
  const server = await start();
  const more = { status: "failed", error: { code: "server_error", message: "out of memory" } };
  const row = { ...rowOf("ASK"), response: responseOf("", more) };
  const { status, body } = await post(server, "/verify", row);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...{ mask_sample: true, failure_kind: "agent_run_error", outcome: "unreadable" },
    failure_reason: "the model's response has status failed: out of memory",
  });
});

test("F01: a row without a readable gold label, or without its response, is an error and no reward", async () => {
  const server = await start();
  const response = responseOf(answerOf("ACT"));
  const rows: object[] = [undefined, null, "Ask ", "ESCALATE", 3].map((gold) => ({
    ...rowOf(gold),
    response,
  }));
  rows.push(rowOf("ACT"), { gold: "ACT", response }, { ...rowOf("ACT"), response: {} });
  for (const row of rows) {
    const { status, body } = await post(server, "/verify", row);
    expect(status).toBe(422);
    expect(Object.keys(body)).toEqual(["error"]);
  }
});

test("with a set, rows are checked against it; held-out rows need --allow-test", async () => {
  const [held, open] = [await demoTraces(), await demoTraces(true)];
  const server = await start({ traces: held });
  const [train, testing] = [held.sides.train[0], open.sides.test[0]];
  const response = responseOf(answerOf(train?.label ?? ""));
  const send = async (row: object) => post(server, "/verify", { ...row, response });
  expect((await send(rowOf(train?.label, { trace_id: train?.id }))).body.reward).toBe(1);
  expect((await send(rowOf(undefined, { trace_id: train?.id }))).body.gold).toBe(train?.label);
  const { body } = await send(rowOf(testing?.label, { trace_id: testing?.id }));
  expect(body.error.code).toBe("held_out");
  const wrong = train?.label === "ASK" ? "WAIT" : "ASK";
  expect((await send(rowOf(wrong, { trace_id: train?.id }))).body.error.code).toBe("mismatch");
});

test("F11: an internal error is HTTP 500, never a reward", async () => {
  const traces = await demoTraces();
  const labelOf = (): never => {
    throw new Error("secret detail");
  };
  const server = await start({ traces: { ...traces, labelOf } });
  const row = { ...rowOf(undefined, { trace_id: "t" }), response: responseOf("ACT") };
  const { status, body } = await post(server, "/verify", row);
  expect(status).toBe(500);
  expect(body).toEqual({
    error: { code: "internal", message: "a fault in the server; its log says more" },
  });
});

test("aggregates every number over all and for each task, leaving masked rows out", async () => {
  const server = await start();
  const reply = (task: number, reward: number, more: object = {}) => ({
    ...{ _ng_task_index: task, _ng_rollout_index: 0, reward, pred: "ACT", ok: reward > 0, ...more },
  });
  const rows = [reply(1, 1), reply(0, -1), reply(1, 0), reply(2, 5, { mask_sample: true })];
  const { body } = await post(server, "/aggregate_metrics", { verify_responses: rows });
  expect(body.agent_metrics).toMatchObject({
    ...{ "mean/reward": 0, "max/reward": 1, "min/reward": -1, "median/reward": 0 },
    ...{ "std/reward": 1, "mean/ok": 1 / 3, num_repeats: 1 },
    ...{ "coverage/measured_rollouts": 3, "coverage/masked_rollouts": 1 },
    ...{ "coverage/measured_tasks": 2, "coverage/fully_masked_tasks": 1 },
  });
  expect(body.group_level_metrics).toMatchObject([
    { _ng_task_index: 0, "mean/reward": -1, "std/reward": 0 },
    { _ng_task_index: 1, "mean/reward": 0.5, "std/reward": Math.SQRT1_2 },
  ]);
  expect(body.key_metrics).toMatchObject({ "mean/reward": 0, "mean/ok": 1 / 3 });
  expect(Object.keys(body.key_metrics)).not.toContain("max/reward");
  const empty = await post(server, "/aggregate_metrics", { verify_responses: [] });
  expect(empty.body).toEqual({ group_level_metrics: [], agent_metrics: {}, key_metrics: {} });
  const masked = await post(server, "/aggregate_metrics", { verify_responses: rows.slice(3) });
  expect(masked.body.agent_metrics).not.toHaveProperty("mean/reward");
});

test("sessions are taken and nothing is kept; stored rollouts can be verified again", async () => {
  const server = await start();
  const row = rowOf("ACT");
  expect((await post(server, "/seed_session", row)).body).toEqual({});
  const session = { resources_session_id: "s", episode_id: "e", task_id: "t", task_data: {} };
  for (const path of ["/seed_session", "/close_session"]) {
    expect((await post(server, path, session)).body).toEqual({ resources_session_id: "s" });
  }
  expect((await get(server, "/reverify_mode")).body).toBe("stateless");
});
