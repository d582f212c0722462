import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { SteerError } from "../../core/errors.ts";
import { INTERRUPTED, type Io, packagedPath } from "../io.ts";
import { wholeNumber } from "../options.ts";

const HOST = "127.0.0.1";
const HIGHEST_PORT = 65_535;

export function addPlay(program: Command, io: Io): void {
  program
    .command("play")
    .description("try decisions yourself: print the address of a page that opens in any browser")
    .option(
      "--port <p>",
      "serve the page on this machine until Ctrl-C, for browsers that open no files; 0 takes a free port",
      wholeNumber(0, HIGHEST_PORT),
    )
    .addHelpText("after", "\nExamples:\n  steerbench play\n  steerbench play --port 8080")
    .action(({ port }: { port?: number }) => play(port, io));
}

async function play(port: number | undefined, io: Io): Promise<void> {
  const path = packagedPath("web/dist/playground.html");
  const page = readPage(path);
  if (port === undefined) return io.print(`${pathToFileURL(path)}\n`);
  const server = createServer(answerWith(page));
  try {
    await once(server.listen({ host: HOST, port }), "listening");
  } catch (error) {
    const { message } = error as Error;
    throw new SteerError("impossible", `cannot listen on ${HOST}: ${message}; try --port 0`);
  }
  await io.print(`http://${HOST}:${(server.address() as AddressInfo).port}/\n`);
  if (!io.signal.aborted) await once(io.signal, "abort");
  if (io.signal.reason === "SIGINT") io.setExitCode(INTERRUPTED);
  server.close();
  server.closeAllConnections();
}

function readPage(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new SteerError("not_found", `${path}: is not there; \`npm run build\` makes it`);
  }
}

/** Answers with the one page there is. */
function answerWith(page: Buffer): RequestListener {
  return ({ method, url }, response) => {
    const status = method !== "GET" && method !== "HEAD" ? 405 : url === "/" ? 200 : 404;
    response.writeHead(status, {
      "content-type": status === 200 ? "text/html; charset=utf-8" : "text/plain",
      "x-content-type-options": "nosniff",
    });
    response.end(status === 200 ? page : `only GET / is here\n`);
  };
}
