import { onTestFinished } from "vitest";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { readSplit } from "../../src/data/split-file.ts";
import { type HttpServer, startHttp } from "../../src/serve/http/server.ts";
import { LIMITS, type Limits } from "../../src/serve/limits.ts";
import { createService, type Service } from "../../src/serve/service.ts";
import { type LoadedTraces, loadTraces } from "../../src/serve/traces.ts";
import type { Scheme } from "../../src/task/scheme.ts";
import { repositoryPath } from "../support/fixtures.ts";

/** What a test may change about the served parts. */
export interface Changes {
  readonly limits?: Partial<Limits>;
  readonly schemes?: readonly Scheme[];
  readonly allowDominated?: boolean;
  readonly traces?: LoadedTraces | null;
  readonly now?: () => number;
}

/** A service whose ids are s-1, s-2, … and whose log is kept. */
export function makeService({ limits, ...changes }: Changes = {}) {
  const logged: string[] = [];
  let ids = 0;
  const service = createService({
    version: "0.0.0",
    vectorsSha256: "0".repeat(64),
    log: (line) => logged.push(line),
    now: () => 0,
    newId: () => `s-${++ids}`,
    limits: { ...LIMITS, ...limits },
    ...changes,
  });
  return { service, logged };
}

/** The demo set's traces, loaded once; the train side alone unless `allowTest`. */
export function demoTraces(allowTest = false): Promise<LoadedTraces> {
  const known = loaded.get(allowTest) ?? loadDemo(allowTest);
  loaded.set(allowTest, known);
  return known;
}

const loaded = new Map<boolean, Promise<LoadedTraces>>();

async function loadDemo(allowTest: boolean): Promise<LoadedTraces> {
  const set = await loadScenarioSet(repositoryPath("scenario-sets/demo"));
  try {
    const split = await readSplit(repositoryPath("splits/demo.json"));
    return await loadTraces(set, split, { splitFile: "splits/demo.json", allowTest });
  } finally {
    set.close();
  }
}

/** A running server. */
export interface Running extends HttpServer {
  readonly service: Service;
  readonly logged: readonly string[];
  readonly port: number;
}

/** Starts a server on a free port; it ends with the test at the latest. */
export async function start(
  changes: Changes & { readonly token?: string; readonly host?: string } = {},
): Promise<Running> {
  const { token = null, host = "127.0.0.1", ...rest } = changes;
  const { service, logged } = makeService(rest);
  const server = await startHttp(service, { host, port: 0, token });
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= server.end();
    return ended;
  };
  onTestFinished(end);
  return { url: server.url, end, service, logged, port: Number(new URL(server.url).port) };
}

/** A reply, its body read as JSON. */
export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
  readonly headers: Headers;
}

/** Sends a body: text as it is, anything else as JSON. */
export async function post(
  { url }: { readonly url: string },
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  return readReply(response);
}

/** Asks for a path. */
export async function get(
  { url }: { readonly url: string },
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return readReply(await fetch(url + path, { headers }));
}

async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  return { status, headers, body: JSON.parse(await response.text()) };
}

/** The answer a model should give. */
export function answerOf(label: string, reason = "because"): string {
  return `{"intervention": "${label}", "reason": "${reason}"}`;
}
