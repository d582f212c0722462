import { expect, test } from "vitest";
import { isFailure } from "../../../src/model/model.ts";
import { startChatServer } from "./chat-server.ts";
import { askOnce, openForText, SAMPLING, textRequest } from "./open.ts";
import { reply, send, startServer } from "./server.ts";

test("passes on the prompt, the sampling parameters, the text, the finish reason and the count", async () => {
  const { spec, seen } = await startServer((response) =>
    send(response, reply("WAIT", { finish_reason: "length" }, { completion_tokens: 50 })),
  );
  expect(await askOnce(spec)).toEqual({ text: "WAIT", finish: "length", tokens: 50 });
  const [{ path, body }] = seen as [(typeof seen)[number]];
  expect(path).toBe("/v1/chat/completions");
  expect(body).toEqual({
    model: "tiny",
    messages: textRequest().messages,
    temperature: 0.7,
    top_p: 0.9,
    max_tokens: 50,
    seed: expect.any(Number),
  });
});

test("asks for each sample by itself, with a seed of its own that the run's seed and the id decide", async () => {
  const { spec, seen } = await startChatServer();
  const model = await openForText(spec);
  const answers = (await model.generate([textRequest([0, 1, 2])], SAMPLING)).flat();
  const texts = answers.map((answer) => (isFailure(answer) ? "" : answer.text));
  expect(new Set(texts).size).toBe(3);
  const seeds = seen.map(({ body }) => body.seed);
  for (const seed of seeds) {
    expect(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
  }
  expect(new Set(seeds).size).toBe(3);
  expect(seen.every(({ body }) => !("n" in body))).toBe(true);

  await model.generate([textRequest([1])], { ...SAMPLING, seed: "12" });
  expect(seeds).not.toContain(seen.at(-1)?.body.seed);
});

test("of a server that sends several choices, the first is the answer", async () => {
  const { spec } = await startServer((response) => {
    const { choices, ...rest } = reply("first");
    send(response, { ...rest, choices: [...choices, ...reply("second").choices, "broken"] });
  });
  expect(await askOnce(spec)).toMatchObject({ text: "first" });
});

test.each(["reasoning_content", "reasoning"])("keeps %s apart from the answer", async (field) => {
  const message = { role: "assistant", content: "ASK", [field]: "I could ACT, but …" };
  const { spec } = await startServer((response) => send(response, reply(null, { message })));
  expect(await askOnce(spec)).toEqual({
    text: "ASK",
    finish: "stop",
    tokens: 5,
    reasoning: "I could ACT, but …",
  });
});

test("thoughts that use up the tokens leave an empty answer that is cut off", async () => {
  const message = { role: "assistant", content: null, reasoning_content: "First of all" };
  const { spec } = await startServer((response) =>
    send(response, reply(null, { message, finish_reason: "length" })),
  );
  expect(await askOnce(spec)).toMatchObject({ text: "", finish: "length" });
});

test.each([null, "", "Final answer: AC"])(
  "a content filter's refusal with content %j is a failure and no answer",
  async (content) => {
    const { spec } = await startServer((response) =>
      send(response, reply(content, { finish_reason: "content_filter" })),
    );
    expect(await askOnce(spec)).toMatchObject({ error: { code: "content_filter" } });
  },
);

test("a call of a tool without any text is a failure; with text, that is the answer", async () => {
  const tool_calls = [{ id: "1", type: "function", function: { name: "act", arguments: "{}" } }];
  const { spec } = await startServer((response, _, number) => {
    const message = { role: "assistant", content: number < 2 ? null : "ACT", tool_calls };
    send(response, reply(null, { message, finish_reason: number === 1 ? "stop" : "tool_calls" }));
  });
  for (const _ of [1, 2]) {
    expect(await askOnce(spec)).toMatchObject({ error: { code: "tool_calls" } });
  }
  expect(await askOnce(spec)).toMatchObject({ text: "ACT" });
});

test("a refusal that a model writes in place of content is its answer", async () => {
  const message = { role: "assistant", content: null, refusal: "I will not decide this." };
  const { spec } = await startServer((response) => send(response, reply(null, { message })));
  expect(await askOnce(spec)).toMatchObject({ text: "I will not decide this.", finish: "stop" });
});

test("what the reply does not tell is null", async () => {
  const { spec } = await startServer((response) =>
    send(response, {
      choices: [{ message: { content: "ACT" } }],
      usage: { completion_tokens: "5" },
    }),
  );
  expect(await askOnce(spec)).toEqual({ text: "ACT", finish: null, tokens: null });
});

test("gives the log-probability of each written token where asked for", async () => {
  const logprobs = {
    content: [
      { token: "A", logprob: -0.5 },
      { token: "CT", logprob: -0.25 },
    ],
  };
  const { spec, seen } = await startServer((response) =>
    send(response, reply("ACT", { logprobs })),
  );
  const model = await openForText(spec);
  const [[answer] = []] = await model.generate([textRequest()], {
    ...SAMPLING,
    tokenLogprobs: true,
  });
  expect(answer).toMatchObject({ tokenLogprobs: [-0.5, -0.25] });
  expect(seen[0]?.body.logprobs).toBe(true);
  expect(await askOnce(spec)).not.toHaveProperty("tokenLogprobs");
});

test("a model that knows the token limit by its newer name only is asked again by it, once", async () => {
  const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
  const { spec, seen } = await startServer((response, { body }) =>
    "max_tokens" in body
      ? send(response, { error: { message } }, 400)
      : send(response, reply(`at most ${body.max_completion_tokens}`)),
  );
  const model = await openForText(spec);
  const [[answer] = []] = await model.generate([textRequest()], SAMPLING);
  expect(answer).toMatchObject({ text: "at most 50" });
  await model.generate([textRequest()], SAMPLING);
  expect(seen.map(({ body }) => "max_tokens" in body)).toEqual([true, false, false]);
});

test("has at most so many requests under way at once, and answers all in their order", async () => {
  let [running, most] = [0, 0];
  const { spec } = await startServer((response, { body }) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running--;
      send(response, reply(String(body.seed)));
    }, 10);
  });
  const model = await openForText(spec, { concurrency: 3 });
  const [answers] = await model.generate([textRequest([0, 1, 2, 3, 4, 5, 6, 7])], SAMPLING);
  expect(most).toBe(3);
  const again = await model.generate([textRequest([7])], SAMPLING);
  expect(again[0]?.[0]).toEqual(answers?.[7]);
});
