import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a client sent. */
export interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  readonly body: any;
}

/** Answers a request; `number` counts from 0. */
export type Handler = (response: ServerResponse, seen: Seen, number: number) => void;

/** An HTTP server on this machine that ends with the test. */
export async function startServer(handler: Handler) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { url: path = "", headers } = request;
    const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
    const number = seen.push({ path, headers, body }) - 1;
    handler(response, { path, headers, body }, number);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { spec: `http://127.0.0.1:${port}/v1#tiny`, host: `127.0.0.1:${port}`, seen };
}

/** The SPEC of a port where nobody listens any more. */
export async function closedEndpoint(): Promise<string> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}/v1#tiny`;
}

/** Sends JSON with a status. */
export function send(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
}

/** A well-formed reply; fields of the choice can be replaced. */
export function reply(content: string | null, choice: object = {}, usage: object = {}) {
  return {
    choices: [
      { index: 0, message: { role: "assistant", content }, finish_reason: "stop", ...choice },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, ...usage },
  };
}

/** A reply with a list of likely first tokens. */
export function topReply(top: readonly (readonly [token: string, probability: number])[]) {
  const list = top.map(([token, p]) => ({ token, logprob: Math.log(p), bytes: null }));
  const logprobs = { content: [{ token: "A", logprob: -1, bytes: null, top_logprobs: list }] };
  return reply("A", { logprobs, finish_reason: "length" });
}

/** Time that passes only by sleeping; `sleeps` holds how long, in milliseconds. */
export function fakeClock(start = 0) {
  const sleeps: number[] = [];
  let now = start;
  return {
    sleeps,
    now: () => now,
    async sleep(ms: number) {
      sleeps.push(ms);
      now += ms;
    },
  };
}
