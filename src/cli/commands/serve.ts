import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { SteerError } from "../../core/errors.ts";
import type { Service } from "../../serve/service.ts";
import type { LoadedTraces } from "../../serve/traces.ts";
import { type Io, packagedPath } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { addSchemeOptions, resolveSchemes, type SchemeOptions } from "../schemes.ts";

interface ServeOptions extends SchemeOptions {
  readonly split?: string;
  readonly allowTest?: true;
  readonly port?: number;
  readonly host?: string;
  readonly tokenEnv?: string;
  readonly stdio?: true;
}

const HOST = "127.0.0.1";
const PORT = 8000;

export function addServe(program: Command, io: Io): void {
  const command = program
    .command("serve")
    .description("score answers for trainers: over HTTP and WebSocket, or in frames on stdin")
    .argument("[set]", "play episodes on its traces, and take gold labels by trace_id")
    .option("--split <file>", "verified split of the set; its train side is served")
    .option("--allow-test", "serve held-out traces, too, to whoever asks for them")
    .option("--port <p>", `0 takes a free one (default: ${PORT})`, readPort)
    .option("--host <h>", `other addresses than loopback need --token-env (default: ${HOST})`)
    .option("--token-env <name>", "environment variable that holds the bearer token to ask for")
    .option("--stdio", "answer frames, one a line: {id, scheme?, answers} to {id, results}");
  addSchemeOptions(command)
    .addHelpText(
      "after",
      "\nThe first --scheme gives the reward where a request names none; default asymmetric.\n\nExamples:\n  steerbench serve scenario-sets/demo --split splits/demo.json --port 0\n  steerbench serve --stdio < frames.jsonl",
    )
    .action((set: string | undefined, options: ServeOptions) =>
      serve(set, options, program.version() ?? "", io),
    );
}

async function serve(
  setPath: string | undefined,
  options: ServeOptions,
  version: string,
  io: Io,
): Promise<void> {
  refuseContradictions(setPath, options);
  const listening = options.stdio ? null : await whereToListen(options, io);
  const service = await openService(setPath, options, version, io);
  if (listening === null) {
    const { serveStdio } = await import("../../serve/stdio.ts");
    const { signal, print: write } = io;
    await serveStdio(service, { input: process.stdin, write, signal });
    return;
  }
  const { startHttp } = await import("../../serve/http/server.ts");
  const server = await startHttp(service, listening);
  await io.print(`${server.url}\n`);
  if (!io.signal.aborted) await once(io.signal, "abort");
  io.note("ending: answering what was accepted\n");
  await server.end();
}

function refuseContradictions(setPath: string | undefined, options: ServeOptions): void {
  if ((setPath === undefined) !== (options.split === undefined)) {
    throw new SteerError("usage", "SET and --split go together: the split says what is held out");
  }
  if (options.allowTest && setPath === undefined) {
    throw new SteerError("usage", "--allow-test needs SET --split FILE");
  }
  const { port, host, tokenEnv } = options;
  if (options.stdio && (port ?? host ?? tokenEnv) !== undefined) {
    throw new SteerError("usage", "--stdio listens nowhere: leave out --port, --host, --token-env");
  }
}

async function whereToListen({ host = HOST, port = PORT, tokenEnv }: ServeOptions, io: Io) {
  const { isLoopback } = await import("../../serve/http/guard.ts");
  if (tokenEnv === undefined) {
    if (isLoopback(host)) return { host, port, token: null };
    throw new SteerError(
      "usage",
      `--host ${host} can be reached by others: name the environment variable that holds a bearer token with --token-env`,
    );
  }
  const token = io.env(tokenEnv) ?? "";
  if (/^[!-~]+$/.test(token)) return { host, port, token };
  // The value is not shown: it may be a mistyped secret.
  const fault = token === "" ? "is not set" : "holds characters that no header can carry";
  throw new SteerError("usage", `--token-env: the environment variable ${tokenEnv} ${fault}`);
}

async function openService(
  setPath: string | undefined,
  options: ServeOptions,
  version: string,
  io: Io,
): Promise<Service> {
  const { randomUUID } = await import("node:crypto");
  const { createService } = await import("../../serve/service.ts");
  const { scheme = ["asymmetric", "symmetric"] } = options;
  return createService({
    version,
    vectorsSha256: readVectorsHash(),
    schemes: await resolveSchemes({ ...options, scheme }),
    allowDominated: options.allowDominated ?? false,
    traces: setPath === undefined ? null : await readTraces(setPath, options, io),
    log: io.note,
    now: () => performance.now(),
    newId: randomUUID,
  });
}

/** Of the vectors that the package carries; `vectors --check` keeps them what the scorer says. */
function readVectorsHash(): string {
  const text = readFileSync(packagedPath("parity-vectors/manifest.json"), "utf8");
  return (JSON.parse(text) as { sha256: string }).sha256;
}

async function readTraces(
  setPath: string,
  { split: splitFile = "", allowTest }: ServeOptions,
  io: Io,
): Promise<LoadedTraces> {
  const { loadTraces } = await import("../../serve/traces.ts");
  const set = await openSet(setPath, io);
  try {
    const split = await openSplit(splitFile);
    return await io.withProgress(`verifying ${splitFile}`, (onProgress) =>
      loadTraces(set, split, { splitFile, allowTest: allowTest === true, onProgress }),
    );
  } finally {
    set.close();
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("it must be a whole number from 0 to 65535.");
}
