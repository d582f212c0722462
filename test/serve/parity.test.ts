import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import type { ScoredItem } from "../../src/serve/item-schema.ts";
import { serveStdio } from "../../src/serve/stdio.ts";
import { SCHEMES, type Scheme } from "../../src/task/scheme.ts";
import { type ScoreInput, score } from "../../src/task/score.ts";
import { fuzzCases } from "../parity/fuzz-texts.ts";
import { openWebSocket } from "./raw-websocket.ts";
import { demoTraces, makeService, post, start } from "./support.ts";

const ANSWERS = 5000;
const FINISHES = [undefined, "stop", "length", null, "max_tokens", "odd"];

const cases: ScoreInput[] = fuzzCases("serve")
  .slice(0, ANSWERS)
  .map(({ answer, letters, prompt }, k) => ({
    ...{ answer, letters, prompt, finish: FINISHES[k % FINISHES.length] },
    gold: LABELS[(k * 7) % LABELS.length] ?? "ACT",
  }));
const items = cases.map((input, id) => ({ ...input, id }));

/** What each answer must come to, in the words of the wire. */
function expected(scheme: Scheme, input: ScoreInput): Partial<ScoredItem> {
  const { strict, lenient, payments } = score(input, [scheme]);
  const { outcome, reward } = payments[scheme.name] ?? {};
  const { rung: _, ...strictParse } = strict;
  const { rung: __, ...lenientParse } = lenient;
  return {
    ...(outcome && { outcome }),
    ...(reward !== undefined && { reward, rewards: { [scheme.name]: reward } }),
    strict: strictParse,
    lenient: lenientParse,
  };
}

function expectEqual(results: readonly object[], scheme: Scheme, inputs = cases): void {
  expect(results).toHaveLength(inputs.length);
  for (const [k, input] of inputs.entries()) {
    expect(results[k]).toMatchObject(expected(scheme, input));
  }
}

test.each(Object.values(SCHEMES))(
  "HTTP equals score() for mixed answers under $name",
  async (scheme) => {
    const server = await start();
    const results: object[] = [];
    for (let k = 0; k < ANSWERS; k += 1000) {
      const { body } = await post(server, "/v1/score", {
        ...{ items: items.slice(k, k + 1000), scheme: scheme.name },
      });
      results.push(...body.results);
    }
    expectEqual(results, scheme);
    for (const result of results as ScoredItem[]) {
      const { metrics, outcome, lenient, strict } = result;
      expect(metrics[outcome]).toBe(1);
      expect(metrics.acc).toBe(outcome === "correct" ? 1 : 0);
      expect([metrics.pred, metrics.lenient_ok]).toEqual([lenient.label, lenient.label ? 1 : 0]);
      expect(metrics.strict_ok).toBe(strict.label ? 1 : 0);
    }
  },
);

test.each(Object.values(SCHEMES))(
  "stdio equals score() for mixed answers under $name",
  async (scheme) => {
    const { service } = makeService();
    const input = new PassThrough();
    const results: object[] = [];
    const done = serveStdio(service, {
      input,
      write: async (line) => void results.push(...JSON.parse(line).results),
      signal: new AbortController().signal,
    });
    for (let k = 0; k < ANSWERS; k += 500) {
      const frame = { id: k, scheme: scheme.name, answers: items.slice(k, k + 500) };
      input.write(`${JSON.stringify(frame)}\n`);
    }
    input.end();
    await done;
    expectEqual(results, scheme);
  },
);

/** Answers to prompts of the demo set, which is what episodes and rows are about. */
async function episodeCases(count: number) {
  const { train } = (await demoTraces()).sides;
  return cases
    .filter(({ letters, prompt }) => !letters && !prompt)
    .slice(0, count)
    .map(({ answer, finish }, k) => {
      const { id, label } = train[k % train.length] ?? { id: "", label: "ACT" as const };
      return { id, input: { answer, finish: finish ?? null, gold: label } };
    });
}

test.each(Object.values(SCHEMES))(
  "episodes and NeMo Gym rows equal score() under $name",
  async (scheme) => {
    const server = await start({ traces: await demoTraces(), schemes: [scheme] });
    const socket = await openWebSocket(server.port);
    for (const { id, input } of await episodeCases(80)) {
      const { answer, finish, gold } = input;
      const { outcome, reward } = expected(scheme, input);
      const action = { answer, finish, trace_id: id };
      const over = [
        (await post(server, "/step", { action })).body,
        (await socket.ask({ type: "step", data: action })).data,
      ];
      for (const { reward: paid, observation } of over) {
        expect([paid, observation.outcome]).toEqual([reward, outcome]);
      }
      const { body: reset } = await post(server, "/v1/reset", { trace_id: id });
      const { body: step } = await post(server, "/v1/step", {
        session: reset.session,
        answer,
        finish,
      });
      expect([step.reward, step.info.outcome]).toEqual([reward, outcome]);
      const content = [{ type: "output_text", text: answer }];
      const response = {
        output: [{ type: "message", content }],
        ...(finish === null
          ? {}
          : { status: "incomplete", incomplete_details: { reason: finish } }),
      };
      const row = { responses_create_params: {}, response, gold };
      const { body: verified } = await post(server, "/verify", row);
      expect([verified.reward, verified.outcome]).toEqual([reward, outcome]);
    }
  },
);
