import { expect, test } from "vitest";
import { askOnce, openForText, SAMPLING, textRequest } from "./open.ts";
import { closedEndpoint, fakeClock, type Handler, reply, send, startServer } from "./server.ts";

const DATE = Date.UTC(2026, 2, 2, 9, 30, 0);

/** Handlers that fail `times` times and then answer. */
function failing(times: number, fail: Handler): Handler {
  return (response, seen, number) =>
    number < times ? fail(response, seen, number) : send(response, reply("ACT"));
}

function busy(retryAfter?: string): Handler {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return (response) => send(response, { error: { message: "slow down" } }, 429, headers);
}

test.each([
  ["7", 7000],
  ["1.5", 1500],
  ["Mon, 02 Mar 2026 09:30:45 GMT", 45_000],
])("waits as long as Retry-After asks: %s", async (header, wait) => {
  const clock = fakeClock(DATE);
  const { spec, seen } = await startServer(failing(1, busy(header)));
  expect(await askOnce(spec, { clock })).toMatchObject({ text: "ACT" });
  expect(clock.sleeps).toEqual([wait]);
  expect(seen).toHaveLength(2);
});

test("does not wait for a Retry-After of an hour: the item fails and says so", async () => {
  const clock = fakeClock();
  const { spec, seen } = await startServer(busy("3600"));
  const message = `${spec}: HTTP 429: slow down (it asks to wait 3600 s; resume the run after that)`;
  expect(await askOnce(spec, { clock })).toEqual({ error: { code: "rate_limited", message } });
  expect([clock.sleeps, seen.length]).toEqual([[], 1]);
});

test("tries server errors again, waiting longer each time, and then answers", async () => {
  const clock = fakeClock();
  const { spec } = await startServer(failing(4, (response) => send(response, "oops", 503)));
  expect(await askOnce(spec, { clock })).toMatchObject({ text: "ACT" });
  expect(clock.sleeps).toHaveLength(4);
  for (const [retry, wait] of clock.sleeps.entries()) {
    expect(wait).toBeGreaterThanOrEqual(250 * 2 ** retry);
    expect(wait).toBeLessThanOrEqual(500 * 2 ** retry);
  }
  const again = fakeClock();
  const second = await startServer(failing(4, (response) => send(response, "oops", 503)));
  await askOnce(second.spec, { clock: again });
  expect(again.sleeps).toEqual(clock.sleeps);
});

test("gives up after so many retries", async () => {
  const { spec, seen } = await startServer((response) => send(response, "oops", 500));
  const message = `${spec}: HTTP 500: oops (given up after 3 tries)`;
  expect(await askOnce(spec, { retries: 2 })).toEqual({ error: { code: "http_5xx", message } });
  expect(seen).toHaveLength(3);
});

test.each([
  [400, { error: { message: "no such field" } }, "no such field"],
  [422, { object: "error", message: "too long" }, "too long"],
  [410, { detail: [{ loc: "body" }] }, '{"detail":[{"loc":"body"}]}'],
  [405, "", "no explanation"],
  [413, "<html>\n<b>Too large</b></html>", "<html> <b>Too large</b></html>"],
])(
  "does not repeat a request that was refused with %i, and says why",
  async (status, body, why) => {
    const { spec, seen } = await startServer((response) => send(response, body, status));
    const message = `${spec}: HTTP ${status}: ${why}`;
    expect(await askOnce(spec)).toEqual({ error: { code: "http_4xx", message } });
    expect(seen).toHaveLength(1);
  },
);

test.each([
  [401, { error: "wrong key" }, "wrong key"],
  [403, { detail: "not for you" }, "not for you"],
  [404, { detail: "no model tiny" }, "no model tiny"],
])(
  "a first request refused with %i ends the call, and nothing else is asked",
  async (status, body, why) => {
    const { spec, seen } = await startServer((response) => send(response, body, status));
    const model = await openForText(spec);
    const call = () => model.generate([textRequest([0, 1, 2]), textRequest([3])], SAMPLING);
    for (const _ of [1, 2]) {
      await expect(call()).rejects.toMatchObject({
        code: "unreadable",
        message: expect.stringMatching(`^${spec}: HTTP ${status}: ${why}; check the key`),
      });
    }
    expect(seen).toHaveLength(1);
  },
);

test("a refusal after the first answer is a failure of its own item", async () => {
  const { spec } = await startServer((response, _, number) =>
    number === 0 ? send(response, reply("ACT")) : send(response, { detail: "gone" }, 404),
  );
  const model = await openForText(spec, { concurrency: 1 });
  const [answers] = await model.generate([textRequest([0, 1])], SAMPLING);
  expect(answers).toMatchObject([{ text: "ACT" }, { error: { code: "http_4xx" } }]);
});

test("the first retry of each kind is told, with its cause, and no further one", async () => {
  const notes: string[] = [];
  const { spec } = await startServer((response, _, number) => {
    if (number < 4) return send(response, "busy", number % 2 === 0 ? 503 : 429);
    send(response, reply("ACT"));
  });
  await askOnce(spec, { onNote: (text) => notes.push(text) });
  expect(notes).toEqual([
    expect.stringMatching(/#tiny: HTTP 503: busy; trying again after 0\.\d s/),
    expect.stringMatching(/#tiny: HTTP 429: busy; trying again after \d\.\d s/),
  ]);
});

test("a reply that goes on and on is a failure, and is not read to its end", async () => {
  let isClosed = false;
  const { spec, seen } = await startServer((response) => {
    const piece = Buffer.alloc(1 << 20, " ");
    const write = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", write).on("close", () => {
      isClosed = true;
    });
    response.writeHead(200, { "content-type": "application/json" });
    write();
  });
  const message = `${spec}: the reply is longer than 16777216 bytes`;
  expect(await askOnce(spec)).toEqual({ error: { code: "too_long", message } });
  expect(seen).toHaveLength(1);
  await expect.poll(() => isClosed).toBe(true);
});

test("a connection that is reset is tried again", async () => {
  const reset: Handler = (response) => response.socket?.resetAndDestroy();
  const { spec } = await startServer(failing(2, reset));
  expect(await askOnce(spec)).toMatchObject({ text: "ACT" });
});

test("a reply that breaks off in the middle is tried again, and then a connection failure", async () => {
  const { spec, seen } = await startServer((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "900" });
    response.write('{"choices": [{"message": {"content": "ACT', () => response.destroy());
  });
  expect(await askOnce(spec, { retries: 1 })).toMatchObject({ error: { code: "connection" } });
  expect(seen).toHaveLength(2);
});

test("a port where nobody listens is a connection failure that names the cause", async () => {
  const spec = await closedEndpoint();
  const result = await askOnce(spec, { retries: 1 });
  const message = expect.stringMatching(/#tiny: the connection failed: ECONNREFUSED .*2 tries/);
  expect(result).toEqual({ error: { code: "connection", message } });
});

test("headers that do not come in time are a timeout, and so is a body that stops", async () => {
  const silent = await startServer(() => {});
  const options = { timeoutMs: 60, retries: 1 };
  const message = expect.stringContaining("no reply within 0.06 s (given up after 2 tries)");
  expect(await askOnce(silent.spec, options)).toEqual({ error: { code: "timeout", message } });
  expect(silent.seen).toHaveLength(2);
  const patient = await askOnce(silent.spec, { timeoutMs: 20 });
  expect(patient).toMatchObject({
    error: { message: expect.stringContaining("given up after 3 tries") },
  });

  const stuck = await startServer((response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"choices": [');
  });
  expect(await askOnce(stuck.spec, options)).toEqual({ error: { code: "timeout", message } });
});
