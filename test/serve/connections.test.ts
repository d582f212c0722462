import { once } from "node:events";
import { expect, test } from "vitest";
import { openRaw, postText } from "./raw-socket.ts";
import { answerOf, demoTraces, post, type Running, start } from "./support.ts";

const items = [{ answer: answerOf("ACT"), gold: "ACT" }];
const good = JSON.stringify({ items });
const big = JSON.stringify({
  items: Array.from({ length: 4000 }, () => ({
    answer: answerOf("ACT", "x".repeat(500)),
    gold: "ACT",
  })),
});

async function expectAlive(server: Running): Promise<void> {
  expect((await post(server, "/v1/score", { items })).body.results[0].reward).toBe(1);
  expect(server.logged).toEqual([]);
}

test("F09: a client that hangs up halfway through the body harms nobody", async () => {
  const server = await start();
  for (const reset of [true, false]) {
    const { socket } = await openRaw(server.port);
    socket.write(postText("/v1/score", big).slice(0, 100_000));
    await new Promise((resolve) => setImmediate(resolve));
    if (reset) socket.resetAndDestroy();
    else socket.destroy();
    await once(socket, "close");
    await expectAlive(server);
  }
});

test("F09: a client that hangs up while its answers are scored harms nobody, and the work stops", async () => {
  const traces = await demoTraces();
  let scored = 0;
  let hangUp = () => {};
  const labelOf = (traceId: string) => {
    scored++;
    if (scored === 200) hangUp();
    return traces.labelOf(traceId);
  };
  const server = await start({ traces: { ...traces, labelOf } });
  const { socket } = await openRaw(server.port);
  hangUp = () => socket.resetAndDestroy();
  const [{ id } = { id: "" }] = traces.sides.train;
  const answer = answerOf("ACT", "x".repeat(500));
  const many = Array.from({ length: 4000 }, () => ({ answer, trace_id: id }));
  socket.write(postText("/v1/score", JSON.stringify({ items: many })));
  await once(socket, "close");
  await expectAlive(server);
  // The whole batch would take some fifty turns.
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(scored).toBeGreaterThanOrEqual(200);
  expect(scored).toBeLessThan(2000);
});

test("a client that closes its side after the request still gets its reply", async () => {
  const server = await start();
  const { socket, ended } = await openRaw(server.port);
  socket.end(postText("/v1/score", big));
  const text = await ended();
  expect(text).toMatch(/^HTTP\/1.1 200 OK/);
  expect(text.endsWith("]}")).toBe(true);
});

test("requests sent one behind the other on one connection are answered in order", async () => {
  const server = await start();
  const { socket, until } = await openRaw(server.port);
  const named = (id: string) =>
    postText("/v1/score", JSON.stringify({ items: [{ ...items[0], id }] }));
  socket.write(postText("/v1/score", big) + named("first") + named("second"));
  const text = await until(/"second"/);
  expect(text.indexOf('"first"')).toBeLessThan(text.indexOf('"second"'));
});

test("a request that does not arrive whole in time gets 408 and is dropped", async () => {
  const server = await start({ limits: { requestMs: 100 } });
  const slow = await openRaw(server.port);
  slow.socket.write(postText("/v1/score", good).slice(0, -10));
  const text = await slow.ended();
  expect(text).toMatch(/^HTTP\/1.1 408 Request Timeout/);
  expect(text).toContain("did not arrive whole in time");
  await expectAlive(server);
});

test.each([
  ["no HTTP", "\x16\x03\x01\x02\x00\x01 hello\r\n\r\n"],
  ["a broken header", "GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n"],
  ["a request without a host", "GET / HTTP/1.1\r\n\r\n"],
  [
    "two lengths",
    "POST /v1/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
  ],
])("%s gets 400, and the server stays alive", async (_, bytes) => {
  const server = await start();
  const { socket, ended } = await openRaw(server.port);
  socket.write(bytes, "latin1");
  expect(await ended()).toMatch(/^HTTP\/1.1 400 Bad Request/);
  await expectAlive(server);
});

test("a refused body is read on, so that its sender gets to read why", async () => {
  const server = await start({ limits: { bodyBytes: 100_000 } });
  const { socket, until } = await openRaw(server.port);
  const body = "x".repeat(400_000);
  socket.write(postText("/v1/score", body) + postText("/v1/score", good));
  const text = await until(/"outcome"/);
  expect(text).toMatch(/^HTTP\/1.1 413 /);
});

test("the room that a body takes while it arrives is free again, however it ended", async () => {
  const server = await start({ limits: { bodyBytes: 600, bufferedBytes: 1000 } });
  const body = JSON.stringify({ items: [{ answer: "x".repeat(400), gold: "ACT" }] });
  for (let k = 0; k < 5; k++) {
    expect((await post(server, "/v1/score", body)).status).toBe(200);
    expect((await post(server, "/v1/score", "x".repeat(700))).status).toBe(413);
    const { socket } = await openRaw(server.port);
    socket.write(postText("/v1/score", body).slice(0, -5));
    await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
    await once(socket, "close");
  }
  await expectAlive(server);
});

test("a body without end is cut off", async () => {
  const server = await start({ limits: { bodyBytes: 1000 } });
  const { socket, ended } = await openRaw(server.port);
  socket.on("error", () => {});
  socket.write(
    "POST /v1/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  for (let k = 0; k < 100; k++) socket.write(`3e8\r\n${"x".repeat(1000)}\r\n`);
  expect(await ended()).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close/i);
  await expectAlive(server);
});
