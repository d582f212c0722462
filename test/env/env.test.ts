import { expect, test } from "vitest";
import { SteerEnv } from "../../src/env/env.ts";
import { OUTCOMES } from "../../src/task/outcome.ts";
import { buildPrompt } from "../../src/task/prompt.ts";
import { SCHEMES, withPrices } from "../../src/task/scheme.ts";
import { makeFamily } from "../support/traces.ts";

const traces = [...makeFamily(1), ...makeFamily(2)];
const split = {
  train: traces.slice(0, 5).map((trace) => trace.id),
  test: traces.slice(5).map((trace) => trace.id),
};
const answer = (label: string) => `{"intervention": "${label}", "reason": "r"}`;

test("shows the evaluation prompt, takes one answer and pays it under every scheme", () => {
  const env = new SteerEnv({ traces, split, seed: 1 });
  const gold = traces[2];
  const { observation, info } = env.reset({ traceId: "t-1-2" });
  expect(observation).toEqual(gold && buildPrompt(gold, { readout: "generative" }));
  expect(info).not.toHaveProperty("gold");
  const step = env.step(answer("ACT"));
  expect(step).toMatchObject({ reward: -1, terminated: true, truncated: false });
  expect(step.info.rewards).toEqual({ symmetric: 0, asymmetric: -1 });
  expect(step.info).toMatchObject({ gold: "WAIT", outcome: "premature_act" });
});

test("reports every outcome as its own number on every step", () => {
  const env = new SteerEnv({ traces, split, seed: 1 });
  for (const [text, finish] of [
    [answer("ACT"), "stop"],
    ["?", "stop"],
    [answer("ASK"), "length"],
  ] as const) {
    env.reset();
    const { info, truncated } = env.step(text, finish);
    expect(Object.keys(info.metrics)).toEqual(OUTCOMES);
    expect(Object.values(info.metrics).reduce<number>((a, b) => a + b, 0)).toBe(1);
    expect(info.metrics[info.outcome]).toBe(1);
    expect(truncated).toBe(finish === "length");
  }
});

test("a second step, or one before reset, throws", () => {
  const env = new SteerEnv({ traces, split, seed: 1 });
  expect(() => env.step("x")).toThrow(/call reset/);
  env.reset();
  env.step("x");
  expect(() => env.step("x")).toThrow(/call reset/);
});

test("plays the train side unless test traces are asked for twice", () => {
  const env = new SteerEnv({ traces, split, seed: 1 });
  for (let i = 0; i < 50; i++) expect(split.train).toContain(env.reset().info.traceId);
  expect(() => env.reset({ traceId: "t-2-0" })).toThrow(/no trace t-2-0/);
  expect(() => new SteerEnv({ traces, split, part: "test", seed: 1 })).toThrow(/held out/);
  const heldOut = new SteerEnv({ traces, split, part: "test", allowTest: true, seed: 1 });
  expect(split.test).toContain(heldOut.reset().info.traceId);
});

test("a seed fixes the order of traces, whatever order they were given in", () => {
  const order = (env: SteerEnv) => Array.from({ length: 20 }, () => env.reset().info.traceId);
  const first = order(new SteerEnv({ traces, seed: 7 }));
  expect(order(new SteerEnv({ traces: [...traces].reverse(), seed: 7 }))).toEqual(first);
  expect(order(new SteerEnv({ traces, seed: 8 }))).not.toEqual(first);
  const env = new SteerEnv({ traces, seed: 8 });
  expect([env.reset({ seed: 7 }).info.traceId, ...order(env)].slice(0, 20)).toEqual(first);
});

test("the decision readout takes the letter that its prompt shows", () => {
  const env = new SteerEnv({ traces, readout: "decision", scheme: SCHEMES.symmetric, seed: 1 });
  const { info, observation } = env.reset({ traceId: "t-1-3" });
  const letter = "ABCDE"[info.letters?.indexOf("REMEMBER") ?? 0] ?? "";
  expect(observation.at(-1)?.content).toContain(`${letter}) REMEMBER`);
  expect(env.step(letter)).toMatchObject({ reward: 1, info: { outcome: "correct" } });
});

test("a custom scheme pays its own prices beside the built-in ones", () => {
  const scheme = { ...withPrices(SCHEMES.symmetric, { premature_act: -3 }), name: "harsh" };
  const env = new SteerEnv({ traces, scheme, seed: 1 });
  env.reset({ traceId: "t-1-1" });
  const { reward, info } = env.step(answer("ACT"));
  expect(reward).toBe(-3);
  expect(info.rewards).toEqual({ symmetric: 0, asymmetric: -1, harsh: -3 });
});
