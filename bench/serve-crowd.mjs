// The badly behaved part of a soak, in a process of its own: node bench/serve-crowd.mjs PORT COUNT.
import { connect } from "node:net";

const [port, count] = process.argv.slice(2).map(Number);
const seen = {};
let isStopped = false;

const item = { answer: '{"intervention": "ASK", "reason": "r"}', gold: "ASK" };
const small = requestOf(JSON.stringify({ items: [item] }));
const huge = requestOf(JSON.stringify({ items: [{ answer: "{".repeat(1 << 20), gold: "ASK" }] }));
const labels = requestOf(
  JSON.stringify({ items: [{ answer: "ASK or ".repeat(9000), gold: "ASK" }] }),
);
const nan = requestOf('{"items":[{"answer":"x","gold":"ACT","logprob":NaN}]}');
const deep = requestOf("[".repeat(50_000));
const upgrade =
  "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** How each kind behaves, once every few seconds, on a connection that is opened again when lost. */
const KINDS = {
  idle: { share: 0.4, act: () => {} },
  "slow sender": {
    share: 0.25,
    act: (socket, n) => socket.write(small.slice(n % 200, (n % 200) + 1)),
  },
  "half-closed": { share: 0.15, act: (socket) => socket.end(small) },
  "1 MB answer": { share: 0.03, act: (socket, n) => socket.write(n % 2 === 0 ? huge : labels) },
  "NaN body": { share: 0.05, act: (socket, n) => socket.write(n % 5 === 0 ? deep : nan) },
  "malformed frame": {
    share: 0.06,
    act: (socket, n) => {
      if (n === 0) socket.write(upgrade);
      else socket.write(Buffer.from([0x81, 0x84, 1, 2, 3, 4, n, n, n, n, 0xff]));
    },
  },
  "no HTTP": { share: 0.06, act: (socket) => socket.write("\x16\x03\x01 nothing\r\n\r\n") },
};

const actors = Object.entries(KINDS).flatMap(([kind, { share, act }]) =>
  Array.from({ length: Math.round(share * count) }, () => ({ kind, act })),
);
for (const [k, actor] of actors.entries()) run(actor, k);
setTimeout(() => process.send("ready"), 3000);
process.on("message", () => {
  isStopped = true;
  process.send({ connections: actors.length, ...seen });
});

function run({ kind, act }, k) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let acts = 0;
  const timer = setInterval(
    () => {
      if (!socket.writable) return;
      act(socket, acts++);
      note(kind);
    },
    2000 + ((k * 37) % 2000),
  );
  socket.on("data", () => {});
  socket.on("end", () => socket.destroy());
  socket.on("error", () => {});
  socket.on("close", () => {
    clearInterval(timer);
    note("reconnects");
    if (!isStopped) setTimeout(() => run({ kind, act }, k), 200);
  });
}

function note(name) {
  seen[name] = (seen[name] ?? 0) + 1;
}

function requestOf(body) {
  return `POST /v1/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
