import { expect, test } from "vitest";
import { isLoopback, makeGuard } from "../../src/serve/http/guard.ts";
import { openRaw } from "./raw-socket.ts";
import { get, post, start } from "./support.ts";

const local = makeGuard({ host: "127.0.0.1", token: null });

test.each([
  ["localhost", true],
  ["LOCALHOST", true],
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["::1", true],
  ["[::1]", true],
  ["0.0.0.0", false],
  ["::", false],
  ["10.0.0.1", false],
  ["localhost.evil.example", false],
  ["127.0.0.1.evil.example", false],
  ["128.0.0.1", false],
  ["", false],
])("whether %s is loopback: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test.each(["127.0.0.1:8000", "localhost", "localhost:9000", "[::1]:8000", "127.0.0.1"])(
  "the Host %s is answered",
  (host) => {
    expect(local({ host }, "/v1/score")).toBeNull();
  },
);

test.each(["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "169.254.169.254"])(
  "the Host %j is refused: its name may have been bound to this address",
  (host) => {
    expect(local({ host }, "/v1/score")?.code).toBe("forbidden");
    expect(local({ host }, "/")?.code).toBe("forbidden");
  },
);

test.each(["http://evil.example", "null", "http://localhost:3000", "file://", "127.0.0.1:8000"])(
  "pages of the origin %s are refused",
  (origin) => {
    expect(local({ host: "127.0.0.1:8000", origin }, "/v1/score")?.code).toBe("forbidden");
  },
);

test("an origin that is the server itself is let in", () => {
  expect(local({ host: "localhost:8000", origin: "http://localhost:8000" }, "/")).toBeNull();
});

test("with a token, everything but the signs of life needs it", () => {
  const guard = makeGuard({ host: "0.0.0.0", token: "s3cret" });
  const withToken = (authorization: string) => guard({ host: "box.example", authorization }, "/ws");
  expect(guard({ host: "box.example" }, "/version")?.code).toBe("unauthorized");
  expect(guard({ host: "box.example" }, "/")).toBeNull();
  expect(guard({ host: "box.example" }, "/health")).toBeNull();
  expect(withToken("Bearer s3cret")).toBeNull();
  expect(withToken("bearer  s3cret")).toBeNull();
  for (const wrong of ["s3cret", "Bearer s3cre", "Bearer s3crets", "Bearer ", "Basic s3cret", ""]) {
    expect(withToken(wrong)?.code).toBe("unauthorized");
  }
});

test("refusals come over the wire with their status, before any body is read", async () => {
  const open = await start();
  const page = await post(open, "/v1/score", "{", { origin: "http://evil.example" });
  expect([page.status, page.body.error.code]).toEqual([403, "forbidden"]);
  expect(page.headers.get("access-control-allow-origin")).toBeNull();
  const { socket, ended } = await openRaw(open.port);
  socket.end("GET /version HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  expect(await ended()).toMatch(/^HTTP\/1.1 403 /);
  const locked = await start({ token: "s3cret" });
  expect((await get(locked, "/version")).status).toBe(401);
  expect((await get(locked, "/health")).body).toEqual({ status: "healthy" });
  const headers = { authorization: "Bearer s3cret" };
  expect((await get(locked, "/version", headers)).status).toBe(200);
  expect((await post(locked, "/v1/score", { items: [] }, headers)).status).toBe(200);
  expect((await post(locked, "/v1/score", { items: [] })).status).toBe(401);
  expect((await post(locked, "/v1/score", "x".repeat(5_000_000))).status).toBe(401);
});

test("the WebSocket's handshake is checked as well", async () => {
  const shake = async (port: number, more: string) => {
    const { socket, until } = await openRaw(port);
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`,
    );
    return (await until(/\r\n\r\n/)).slice(9, 12);
  };
  const open = await start();
  expect(await shake(open.port, "")).toBe("101");
  expect(await shake(open.port, "Origin: http://evil.example\r\n")).toBe("403");
  const locked = await start({ token: "s3cret" });
  expect(await shake(locked.port, "")).toBe("401");
  expect(await shake(locked.port, "Authorization: Bearer s3cret\r\n")).toBe("101");
});
