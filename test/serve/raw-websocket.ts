import { randomBytes } from "node:crypto";
import { openRaw, type RawSocket } from "./raw-socket.ts";

/** A WebSocket client that can also send what none would. */
export interface RawWebSocket extends RawSocket {
  /** Sends one text frame; anything but text as JSON. */
  send(message: unknown): void;
  /** The next message, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  next(): Promise<any>;
  /** Sends a message and gives the reply. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  ask(message: unknown): Promise<any>;
}

const TEXT = 1;

/** Opens a session on `/ws`. */
export async function openWebSocket(port: number): Promise<RawWebSocket> {
  const raw = await openRaw(port);
  const key = randomBytes(16).toString("base64");
  raw.socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  const head = await raw.until(/\r\n\r\n/);
  if (!head.startsWith("HTTP/1.1 101")) throw new Error(head);
  let at = head.indexOf("\r\n\r\n") + 4;
  const next = async () => {
    for (;;) {
      const frame = readFrame(Buffer.from(raw.text(), "latin1"), at);
      if (frame) {
        at = frame.end;
        if (frame.opcode === TEXT) return JSON.parse(frame.payload.toString("utf8"));
        continue;
      }
      const { length } = raw.text();
      await raw.until(new RegExp(`^[\\s\\S]{${length + 1}}`));
    }
  };
  const send = (message: unknown) => {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    raw.socket.write(frameOf(TEXT, Buffer.from(text)));
  };
  return {
    ...raw,
    send,
    next,
    ask(message) {
      send(message);
      return next();
    },
  };
}

/** A client's frame: masked, as the protocol demands. */
export function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 255] : null;
  const sizeBytes = Buffer.from(size ?? [127, 0, 0, 0, 0, 0, 0, 0, 0]);
  if (size === null) sizeBytes.writeBigUInt64BE(BigInt(length), 1);
  sizeBytes[0] = (sizeBytes[0] ?? 0) | 128;
  const mask = randomBytes(4);
  const masked = payload.map((byte, k) => byte ^ (mask[k % 4] ?? 0));
  return Buffer.concat([Buffer.from([128 | opcode]), sizeBytes, mask, masked]);
}

/** The server's frame at a position; null when it has not arrived whole. */
function readFrame(bytes: Buffer, at: number) {
  if (bytes.length < at + 2) return null;
  const short = (bytes[at + 1] ?? 0) & 127;
  const start = at + (short === 126 ? 4 : short === 127 ? 10 : 2);
  if (bytes.length < start) return null;
  const length =
    short === 126
      ? bytes.readUInt16BE(at + 2)
      : short === 127
        ? Number(bytes.readBigUInt64BE(at + 2))
        : short;
  const end = start + length;
  if (bytes.length < end) return null;
  return { opcode: (bytes[at] ?? 0) & 15, payload: bytes.subarray(start, end), end };
}
