import { expect, test } from "vitest";
import { BARE_LETTER_REQUEST, openEndpoint } from "../../../src/model/endpoint/endpoint.ts";
import { isFailure } from "../../../src/model/model.ts";
import { letterRequest, openForText } from "./open.ts";
import { fakeClock, reply, send, startServer, topReply } from "./server.ts";

const FIVE = [
  ["A", 0.4],
  ["B", 0.2],
  ["C", 0.1],
  ["D", 0.05],
  ["E", 0.01],
] as const;

/** The result of one letter request, from a server that gives `body`. */
async function score(body: unknown) {
  const { spec, seen } = await startServer((response) => send(response, body));
  const model = await openEndpoint(spec, { readout: "decision", clock: fakeClock() });
  const [result] = await model.scoreLetters([letterRequest()]);
  if (result === undefined) throw new Error("no result");
  return { result, asked: seen.at(-1)?.body };
}

async function scoreTop(top: Parameters<typeof topReply>[0]) {
  const { result } = await score(topReply(top));
  return result;
}

test("reads the five letters and their share of the vocabulary from the first token's list", async () => {
  const { result, asked } = await score(topReply([...FIVE, ["The", 0.2]]));
  if (isFailure(result)) throw new Error(result.error.message);
  for (const [k, [, p]] of FIVE.entries()) expect(result.logprobs[k]).toBeCloseTo(Math.log(p), 12);
  expect(result.letterMass).toBeCloseTo(0.76, 12);
  expect(asked).toMatchObject({
    max_tokens: 1,
    temperature: 1,
    top_p: 1,
    logprobs: true,
    top_logprobs: 20,
  });
});

test("B19: variants and repeats of a letter add up; look-alikes and lower case stay out", async () => {
  const result = await scoreTop([
    ["A", 0.3],
    ["B", 0.15],
    [" A", 0.2],
    ["А", 0.02], // U+0410
    ["a", 0.03],
    ["A", 0.1],
    ["C", 0.01],
    ["D", 0.01],
    ["E", 0.01],
  ]);
  if (isFailure(result)) throw new Error(result.error.message);
  expect(Math.exp(result.logprobs[0] ?? 0)).toBeCloseTo(0.6, 12);
  expect(result.letterMass).toBeCloseTo(0.78, 12);
});

test("B23: a letter outside the list makes the item incomplete and is named", async () => {
  const result = await scoreTop([...FIVE.slice(0, 3), ["D ", 0.1], ["Е", 0.1]]);
  expect(result).toEqual({
    error: {
      code: "incomplete",
      message: expect.stringMatching(/^D, E not among the 5 most likely tokens/),
    },
  });
});

test("B23: the protocol's mark for very unlikely is no log-probability", async () => {
  const list = [..."ABCDE"].map((token) => ({ token, logprob: token === "E" ? -9999 : -2 }));
  const body = reply("A", { logprobs: { content: [{ top_logprobs: list }] } });
  expect((await score(body)).result).toMatchObject({ error: { code: "incomplete" } });
});

test.each<[string, object]>([
  ["no logprobs field", {}],
  ["null", { logprobs: null }],
  ["no content", { logprobs: { content: null } }],
  ["no tokens", { logprobs: { content: [] } }],
  ["no list", { logprobs: { content: [{ token: "A", logprob: -1 }] } }],
  ["an empty list", { logprobs: { content: [{ top_logprobs: [] }] } }],
  ["the older form", { logprobs: { top_logprobs: [{ A: -1 }], tokens: ["A"] } }],
])("a reply with %s has no_logprobs, and says where they were looked for", async (_, choice) => {
  const { result } = await score(reply("A", choice));
  expect(result).toEqual({
    error: { code: "no_logprobs", message: expect.stringContaining("content[0].top_logprobs") },
  });
});

test.each<[string, unknown, RegExp]>([
  ["null", null, /top_logprobs\[0\]\.logprob: expected a number, not null/],
  ["text", "-1", /expected a number, not "-1"/],
  ["missing", undefined, /logprob: required field is missing/],
  ["a probability", 0.9, /0\.9 must be a log-probability, at most 0/],
])("a log-probability that is %s is a bad reply", async (_, logprob, told) => {
  const content = [{ top_logprobs: [{ token: "A", logprob }] }];
  const { result } = await score(reply("A", { logprobs: { content } }));
  expect(result).toEqual({
    error: { code: "bad_reply", message: expect.stringMatching(told) },
  });
});

test("probabilities that add up to more than 1 are a bad reply; a little more is rounding", async () => {
  const over = await scoreTop(FIVE.map(([letter]) => [letter, 0.3]));
  expect(over).toMatchObject({ error: { code: "bad_reply" } });
  const rounded = await scoreTop(FIVE.map(([letter]) => [letter, 0.20004]));
  expect(rounded).toMatchObject({ letterMass: 1 });
});

test("where no answer can be begun, the prompt's last turn asks for the letter alone", async () => {
  const { asked } = await score(topReply(FIVE));
  const request = letterRequest();
  const last = request.messages.at(-1);
  expect(asked.messages).toEqual([
    ...request.messages.slice(0, -1),
    { role: "user", content: `${last?.content}\n\n${BARE_LETTER_REQUEST}` },
  ]);
});

test("a model opened for written answers refuses to score letters", async () => {
  const { spec } = await startServer((response) => send(response, topReply(FIVE)));
  const model = await openForText(spec);
  await expect(model.scoreLetters([letterRequest()])).rejects.toMatchObject({ code: "state" });
});
