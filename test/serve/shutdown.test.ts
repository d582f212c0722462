import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { openRaw, postText } from "./raw-socket.ts";
import { openWebSocket } from "./raw-websocket.ts";
import { answerOf, demoTraces, post, start } from "./support.ts";

const batch = (size: number) =>
  JSON.stringify({
    items: Array.from({ length: size }, () => ({
      answer: answerOf("ACT", "x".repeat(500)),
      gold: "ACT",
    })),
  });

test("answers what it accepted, closes the connections after it, and takes nothing new", async () => {
  const server = await start();
  const busy = await Promise.all(Array.from({ length: 8 }, () => openRaw(server.port)));
  const [head = "", body = ""] = postText(
    "/v1/score",
    batch(3000),
    "Expect: 100-continue\r\n",
  ).split("\r\n\r\n");
  for (const { socket } of busy) socket.write(`${head}\r\n\r\n`);
  for (const { until } of busy) await until(/100 Continue\r\n\r\n/);
  for (const { socket } of busy) socket.write(body);
  const ended = server.end();
  for (const { ended: closed } of busy) {
    const text = await closed();
    expect(text).toMatch(/HTTP\/1.1 200 OK/);
    expect(text).toMatch(/connection: close/i);
    expect(text.endsWith("]}")).toBe(true);
  }
  await ended;
  const late = connect(server.port, "127.0.0.1");
  const [error] = await once(late, "error");
  expect((error as NodeJS.ErrnoException).code).toBe("ECONNREFUSED");
});

test("a request that has arrived but was not read yet is answered as well", async () => {
  const server = await start();
  const { socket, ended, until } = await openRaw(server.port);
  socket.write(postText("/v1/score", batch(1)));
  await until(/\]\}$/);
  await new Promise<void>((resolve) => {
    socket.write(postText("/v1/score", batch(2)), () => resolve());
  });
  await server.end();
  expect((await ended()).match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
});

test("slow senders, idle and half-closed connections cannot hold up the end", async () => {
  const server = await start({ traces: await demoTraces(), limits: { graceMs: 200 } });
  const [idle, slow, half, mute] = [
    await openRaw(server.port),
    await openRaw(server.port),
    await openRaw(server.port),
    await openWebSocket(server.port),
  ];
  idle.socket.write(postText("/v1/score", batch(1)));
  await idle.until(/\]\}$/);
  slow.socket.write(postText("/v1/score", batch(100)).slice(0, 5000));
  half.socket.end();
  await mute.ask({ type: "state" });
  await server.end();
  for (const { ended } of [idle, slow, half, mute]) await ended();
});

test("a session's socket is told that the server goes away", async () => {
  const server = await start({ traces: await demoTraces(), limits: { graceMs: 200 } });
  const client = await openWebSocket(server.port);
  await client.ask({ type: "reset" });
  await server.end();
  expect(client.text()).toContain("the server ends");
});

test("ending an idle server takes no time and leaves nothing behind", async () => {
  const server = await start();
  await post(server, "/v1/score", batch(1));
  await server.end();
  expect(server.service.sessions.size).toBe(0);
});
