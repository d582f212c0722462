import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A bare TCP connection, for what no HTTP client would send. */
export interface RawSocket {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** Waits until what was received matches, or fails when the connection ends before. */
  until(pattern: RegExp): Promise<string>;
  /** Waits until the other side has ended the connection; gives all that was received. */
  ended(): Promise<string>;
}

/** Connects to a server on this machine. */
export async function openRaw(port: number): Promise<RawSocket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let received = "";
  let isEnded = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  socket.on("data", (part: Buffer) => {
    received += part.toString("latin1");
    wake();
  });
  const onEnd = () => {
    isEnded = true;
    wake();
  };
  socket.on("end", onEnd).on("close", onEnd).on("error", onEnd);
  const wait = (isDone: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = () => {
        if (!isDone() && !isEnded) return;
        waiting.delete(check);
        if (isDone()) resolve(received);
        else reject(new Error(`the connection ended after: ${received}`));
      };
      waiting.add(check);
      check();
    });
  return {
    socket,
    text: () => received,
    until: (pattern) => wait(() => pattern.test(received)),
    ended: () => wait(() => isEnded),
  };
}

/** The text of a POST request. */
export function postText(path: string, body: string, headers = ""): string {
  const length = Buffer.byteLength(body);
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`;
}
