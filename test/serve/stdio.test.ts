import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { serveStdio } from "../../src/serve/stdio.ts";
import { answerOf, type Changes, makeService } from "./support.ts";

/** Sends lines and gives the frames that come back, in order. */
async function exchange(text: string | Buffer, changes: Changes = {}) {
  const { service } = makeService(changes);
  const input = new PassThrough();
  const lines: string[] = [];
  const done = serveStdio(service, {
    input,
    write: async (line) => void lines.push(line),
    signal: new AbortController().signal,
  });
  input.end(text);
  await done;
  for (const line of lines) expect(line.indexOf("\n")).toBe(line.length - 1);
  return lines.map((line) => JSON.parse(line));
}

const answers = [{ answer: answerOf("ACT"), gold: "ACT" }];

test("answers each frame on a line of its own, in order, and ends with the input", async () => {
  const frames = [1, "b", 3].map((id) => JSON.stringify({ id, answers, scheme: "symmetric" }));
  const replies = await exchange(`${frames.join("\n")}\n`);
  expect(replies.map(({ id }) => id)).toEqual([1, "b", 3]);
  for (const { results } of replies) {
    expect(results).toMatchObject([{ reward: 1, rewards: { symmetric: 1 }, outcome: "correct" }]);
  }
  expect(await exchange("")).toEqual([]);
});

test("a last frame without a line end is answered; CRLF and blank lines do no harm", async () => {
  const frame = JSON.stringify({ id: 1, answers });
  expect(await exchange(`\ufeff${frame}\r\n\r\n\n${frame}`)).toHaveLength(2);
});

test.each([
  ["{", null, "position 1"],
  ["[]", null, "expected an object"],
  ['{"id":7}', 7, "answers: required field is missing"],
  ['{"answers":[]}', null, "id: "],
  ['{"id":"x","answers":[],"schema":"symmetric"}', "x", 'unknown field "schema"'],
  ['{"id":"x","answers":[],"scheme":"symetric"}', "x", "did you mean symmetric?"],
  ["[".repeat(50_000), null, "more than 100 objects and arrays"],
  [`{"id":1,"answers":${JSON.stringify(Array(513).fill(answers[0]))}}`, 1, "at most 512 answers"],
])("F15: the bad line %.40s is an error frame and harms no other", async (line, id, message) => {
  const good = JSON.stringify({ id: "good", answers });
  const replies = await exchange(`${good}\n${line}\n${good}\n`);
  expect(replies).toHaveLength(3);
  expect(replies[1]).toMatchObject({ id, error: { message: expect.stringContaining(message) } });
  expect(replies[1]).not.toHaveProperty("results");
  for (const k of [0, 2]) expect(replies[k].results[0].reward).toBe(1);
});

test("F15: bare NaN costs one line, which is told the position and a hint", async () => {
  const bad = '{"id":2,"answers":[{"answer":"x","gold":"ACT","logprob":NaN}]}';
  const good = JSON.stringify({ id: 3, answers });
  const replies = await exchange(`${bad}\n${good}\n`);
  expect(replies[0].error.message).toContain(`position ${bad.indexOf("NaN")}`);
  expect(replies[0].error.message).toContain("Python's json writes NaN");
  expect(replies[1].results[0].reward).toBe(1);
});

test("F03: an item error stays at its place in its frame", async () => {
  const items = [answers[0], { answer: "ACT" }, answers[0]];
  const [reply] = await exchange(`${JSON.stringify({ id: 1, answers: items })}\n`);
  expect(reply.results.map(({ reward }: { reward: number }) => reward)).toEqual([1, null, 1]);
});

test("bytes that are not UTF-8, and lines over the limit, are error frames", async () => {
  const good = Buffer.from(`${JSON.stringify({ id: 1, answers })}\n`);
  const replies = await exchange(
    Buffer.concat([Buffer.from([0xff, 0x0a]), good, Buffer.from(`"${"x".repeat(2000)}"\n`), good]),
    { limits: { bodyBytes: 1000 } },
  );
  expect(replies.map(({ error }) => error?.message)).toEqual([
    ...["the text is not UTF-8", undefined, "the line is longer than 1000 bytes", undefined],
  ]);
});

test("512 answers fit into one frame", async () => {
  const frame = { id: 1, answers: Array(512).fill(answers[0]) };
  const [{ results }] = await exchange(`${JSON.stringify(frame)}\n`);
  expect(results).toHaveLength(512);
});

test("frames that arrive in pieces are put together, and wait for a slow reader", async () => {
  const { service } = makeService();
  const input = new PassThrough();
  const frame = Buffer.from(`${JSON.stringify({ id: "\u00e9", answers })}\n`);
  let waiting = 0;
  let most = 0;
  const written: string[] = [];
  const done = serveStdio(service, {
    input,
    async write(line) {
      most = Math.max(most, ++waiting);
      await new Promise((resolve) => setImmediate(resolve));
      waiting--;
      written.push(line);
    },
    signal: new AbortController().signal,
  });
  for (const byte of Buffer.concat([frame, frame, frame])) input.write(Buffer.from([byte]));
  input.end();
  await done;
  expect(most).toBe(1);
  expect(written.map((line) => JSON.parse(line).id)).toEqual(["\u00e9", "\u00e9", "\u00e9"]);
});

test("on abort, what was read is answered, and then it ends", async () => {
  const { service } = makeService();
  const input = new PassThrough();
  const abort = new AbortController();
  const written: string[] = [];
  const done = serveStdio(service, {
    input,
    async write(line) {
      written.push(line);
      abort.abort();
    },
    signal: abort.signal,
  });
  input.write(`${JSON.stringify({ id: 1, answers })}\n${JSON.stringify({ id: 2, answers })}\n`);
  await done;
  expect(written).toHaveLength(2);
});
