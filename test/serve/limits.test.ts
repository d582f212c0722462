import { expect, test } from "vitest";
import { LIMITS } from "../../src/serve/limits.ts";
import { answerOf, get, post, type Running, start } from "./support.ts";

const items = [{ answer: answerOf("ACT"), gold: "ACT" }];

async function expectAlive(server: Running): Promise<void> {
  expect((await post(server, "/v1/score", { items })).body.results[0].reward).toBe(1);
}

test("F05: 64 completions of 20 kB are scored; a body over the limit gets 413 as JSON", async () => {
  const server = await start();
  const long = answerOf("ACT", "x".repeat(20_000));
  const many = Array.from({ length: 64 }, () => ({ answer: long, gold: "ACT" }));
  const accepted = await post(server, "/v1/score", { items: many });
  expect(accepted.status).toBe(200);
  for (const { reward } of accepted.body.results) expect(reward).toBe(1);
  const refused = await post(server, "/v1/score", "x".repeat(LIMITS.bodyBytes + 1));
  expect(refused.status).toBe(413);
  expect(refused.body.error).toEqual({
    code: "too_large",
    message: "the body is longer than 16 MiB; send fewer answers at once",
  });
  await expectAlive(server);
});

test("F05: a body exactly at the limit is read; its length in chunks does not matter", async () => {
  const server = await start({ limits: { bodyBytes: 1000 } });
  const text = JSON.stringify({ items });
  const fit = text + " ".repeat(1000 - text.length);
  expect((await post(server, "/v1/score", fit)).status).toBe(200);
  expect((await post(server, "/v1/score", `${fit} `)).status).toBe(413);
  const chunked = await fetch(`${server.url}/v1/score`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Blob(Array.from({ length: 20 }, () => "y".repeat(100))).stream(),
    duplex: "half",
  });
  expect(chunked.status).toBe(413);
  await expectAlive(server);
});

test("bodies that together would fill the memory are refused as busy", async () => {
  const server = await start({ limits: { bufferedBytes: 500 } });
  const { status, body } = await post(server, "/v1/score", { items, pad: "x".repeat(1000) });
  expect([status, body.error.code]).toEqual([503, "busy"]);
  await expectAlive(server);
});

test("more answers than one request may hold are refused, and the message says how many may", async () => {
  const server = await start();
  const item = { answer: "ACT", gold: "ACT" };
  const fit = await post(server, "/v1/score", { items: Array(LIMITS.items).fill(item) });
  expect(fit.body.results).toHaveLength(LIMITS.items);
  const { status, body } = await post(server, "/v1/score", {
    items: Array(LIMITS.items + 1).fill(item),
  });
  expect(status).toBe(400);
  expect(body.error.message).toBe("items: a list of 4097 must hold at most 4096 answers");
});

test.each([
  ["arrays", "[".repeat(50_000) + "]".repeat(50_000)],
  ["arrays that never close", "[".repeat(5_000_000)],
  ["objects", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  ["arrays inside an item", `{"items":[${"[".repeat(50_000)}${"]".repeat(50_000)}]}`],
  ["arrays after a tricky string", `{"\\\\":"\\"[","x":${"[".repeat(200)}${"]".repeat(200)}}`],
])("F13: deeply nested %s give 400, and the server stays alive", async (_, body) => {
  const server = await start();
  for (const path of ["/v1/score", "/v1/advantages", "/mcp"]) {
    const reply = await post(server, path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain(
      "more than 100 objects and arrays inside each other",
    );
  }
  for (const path of ["/verify", "/step", "/reset"]) {
    expect((await post(server, path, body)).status).toBe(422);
  }
  await expectAlive(server);
});

test("a body of too many values is refused before it is parsed", async () => {
  const server = await start();
  for (const text of [`[${"1,".repeat(600_000)}1]`, `{"items":[${"[],".repeat(300_000)}[]]}`]) {
    const { status, body } = await post(server, "/v1/score", text);
    expect(status).toBe(400);
    expect(body.error.message).toContain("more than 500000 values; send fewer at once");
  }
  await expectAlive(server);
});

test.each([
  ["/v1/reset", '{"seed":1e999}', "seed: Infinity must be a text or a whole number"],
  ["/v1/reset", '{"seed":1.5}', "seed: 1.5 must be a text or a whole number"],
  ["/v1/score", '{"items":[{"id":{},"answer":"","gold":"ACT"}]}', "id: an object must be a text"],
])("what fits no form says which forms there are: %s %s", async (path, body, message) => {
  const server = await start();
  const reply = await post(server, path, body);
  expect(JSON.stringify(reply.body)).toContain(message);
});

test("colons, quotes and escapes inside texts are no fields", async () => {
  const server = await start();
  const answer = '{"a": 1, "a": 2} \\" : \u003a ::';
  const body = `{"items":[{"answer":${JSON.stringify(answer)},"gold":"ACT","x\\u003a:":{"__proto__":1}}]}`;
  expect((await post(server, "/v1/score", body)).status).toBe(200);
});

test("F13: brackets inside texts are no nesting", async () => {
  const server = await start();
  const answer = `\\"${"[{".repeat(1000)}\\`;
  const { status, body } = await post(server, "/v1/score", { items: [{ answer, gold: "ACT" }] });
  expect([status, body.results[0].outcome]).toEqual([200, "unreadable"]);
});

test.each([
  ['{"items":[{"answer":"x","gold":"ACT","logprob":NaN}]}', "NaN"],
  ['{"items":[],"p":Infinity}', "Infinity"],
  ['{"items":[],"p":-Infinity}', "-Infinity"],
])("F15: %s gives 400 with the position and a hint", async (text, word) => {
  const position = text.indexOf(word);
  const server = await start();
  const { status, body } = await post(server, "/v1/score", text);
  expect(status).toBe(400);
  expect(body.error.message).toContain(`position ${position} (line 1, column ${position + 1})`);
  expect(body.error.message).toContain(`Python's json writes ${word}`);
  await expectAlive(server);
});

test.each([
  ["", 400, "items: required field is missing"],
  ["{", 400, "position 1"],
  ["[]", 400, "expected an object, not a list of 0"],
  ['{"items":[],"itmes":[]}', 400, 'unknown field "itmes"'],
  ['{"items":[],"scheme":"symmetric","scheme":"asymmetric"}', 400, 'repeated field "scheme"'],
  ['{"items":[{"gold":"ACT","answer":"x","g\\u006fld":"ASK"}]}', 400, "repeated field"],
  ['{"items":[]}\n{}', 400, "position 13 (line 2, column 1)"],
  [new Uint8Array([123, 34, 0xff, 34, 125]), 400, "not UTF-8"],
])("a body that is no request gives 400 and says why: %j", async (body, status, message) => {
  const server = await start();
  const reply = await post(server, "/v1/score", body);
  expect(reply.status).toBe(status);
  expect(reply.body.error.message).toContain(message);
});

test("a byte-order mark is skipped, other media types and encodings are refused with a hint", async () => {
  const server = await start();
  const body = `\ufeff${JSON.stringify({ items })}`;
  expect((await post(server, "/v1/score", body)).status).toBe(200);
  const form = await post(server, "/v1/score", "{}", {
    "content-type": "application/x-www-form-urlencoded",
  });
  expect([form.status, form.body.error.message]).toEqual([
    ...[415, "send JSON with the header Content-Type: application/json"],
  ]);
  const packed = await post(server, "/v1/score", "{}", { "content-encoding": "gzip" });
  expect([packed.status, packed.body.error.message]).toEqual([
    ...[400, "Content-Encoding gzip: send the body as it is"],
  ]);
});

test("routes that are not there are named, and the connection is kept after any of these", async () => {
  const server = await start();
  const { status, body } = await get(server, "/v1/score");
  expect([status, body.error.code]).toEqual([404, "not_found"]);
  expect(body.error.message).toBe("no route GET /v1/score; GET /openapi.json lists them all");
  for (const text of ["{", JSON.stringify({ items }), "[".repeat(200)]) {
    const { headers } = await post(server, "/v1/score", text);
    expect(headers.get("connection")).toBe("keep-alive");
  }
});

test("an answer over the scorer's own limit is scored as unreadable, not refused", async () => {
  const server = await start();
  const answer = "ASK ".repeat(400_000);
  const { body } = await post(server, "/v1/score", { items: [{ answer, gold: "ASK" }] });
  expect(body.results[0]).toMatchObject({
    outcome: "unreadable",
    lenient: { reason: "too_long" },
    reward: -0.5,
  });
});
