import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import websocket from "@fastify/websocket";
import { type FastifyError, type FastifyInstance, fastify } from "fastify";
import { SteerError } from "../../core/errors.ts";
import { openApiDocument } from "../openapi.ts";
import { allRoutes } from "../routes.ts";
import type { Service } from "../service.ts";
import { errorBody, toWireError, type WireError } from "../wire-error.ts";
import { endServer, trackSockets } from "./end.ts";
import { makeGuard } from "./guard.ts";
import { type Answering, addRoute, refuse, sendJson, takeBodies } from "./requests.ts";
import { addSocket } from "./socket.ts";

/** Where and for whom to listen. */
export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The bearer token that requests must carry; null for none. */
  readonly token: string | null;
}

/** A server that listens. */
export interface HttpServer {
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Takes nothing new, answers what was accepted, and ends. */
  end(): Promise<void>;
}

/** Connections that may wait to be accepted: a thousand can come at once. */
const BACKLOG = 4096;
/** How often late requests and idle sessions are looked for, in milliseconds. */
const CHECK_MS = 2000;

/**
 * Starts the HTTP server: every route, and OpenEnv's WebSocket on the same port.
 *
 * @throws SteerError `impossible` when the address cannot be had
 */
export async function startHttp(service: Service, options: ListenOptions): Promise<HttpServer> {
  let isEnding = false;
  const answering = { limits: service.limits, log: service.log, isEnding: () => isEnding };
  const app = await buildApp(service, options, answering);
  const sockets = trackSockets(app);
  await listen(app, options);
  const expiry = setInterval(() => service.sessions.expire(), CHECK_MS);
  const { address, family, port } = app.server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${port}`,
    async end() {
      isEnding = true;
      clearInterval(expiry);
      await endServer(app, sockets, service.limits.graceMs);
    },
  };
}

async function buildApp(
  service: Service,
  { host, token }: ListenOptions,
  answering: Answering,
): Promise<FastifyInstance> {
  const { limits } = service;
  const app = fastify({
    requestTimeout: limits.requestMs,
    // A reply that nobody reads, or a socket that went silent in the middle of a request.
    connectionTimeout: limits.requestMs + 5 * CHECK_MS,
    keepAliveTimeout: limits.keepAliveMs,
    http: { connectionsCheckingInterval: CHECK_MS, headersTimeout: limits.requestMs },
    clientErrorHandler: answerBrokenRequest,
  });
  // A client that has sent all and closed its side still waits for the reply.
  (app.server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
  app.setNotFoundHandler((request, reply) => {
    const message = `no route ${request.method} ${request.url.slice(0, 100)}; GET /openapi.json lists them all`;
    return refuse(reply, { code: "not_found", message }, answering);
  });
  app.setErrorHandler((error: FastifyError, _, reply) => {
    return refuse(reply, frameworkError(error, answering), answering);
  });
  takeBodies(app, limits);
  await app.register(websocket, {
    options: { maxPayload: limits.bodyBytes, clientTracking: true },
  });
  // After the plug-in's own hook: it closes the socket of a handshake that is refused here.
  const guard = makeGuard({ host, token });
  app.addHook("onRequest", async (request, reply) => {
    const error = guard(request.headers, request.url.split("?")[0] ?? "");
    if (error) return refuse(reply, error, answering);
  });
  addSocket(app, service);
  const routes = allRoutes(service);
  for (const route of routes) addRoute(app, route, answering);
  const { version } = service.versions;
  const document = JSON.stringify(openApiDocument(routes, { version, needsToken: token !== null }));
  app.get("/openapi.json", (_, reply) => sendJson(reply, 200, document, answering));
  await app.ready();
  return app;
}

/** What the framework refuses before a route sees it. */
function frameworkError(error: FastifyError, { log }: Answering): WireError {
  if (error.statusCode === 415) {
    return {
      code: "unsupported",
      message: "send JSON with the header Content-Type: application/json",
    };
  }
  if ((error.statusCode ?? 500) < 500)
    return { code: "invalid", message: "the request is not valid" };
  return toWireError(error, log);
}

/** Bytes that are no HTTP, a request that comes too slowly, or a client that went away. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const [status, message] = isLate
    ? ["408 Request Timeout", "the request did not arrive whole in time"]
    : ["400 Bad Request", "the bytes are not a valid HTTP request"];
  const body = errorBody({ code: "invalid", message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

async function listen({ server }: FastifyInstance, { host, port }: ListenOptions): Promise<void> {
  server.listen({ host, port, backlog: BACKLOG });
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: "the port is taken; choose another with --port, or 0 for a free one",
      EACCES: "not allowed; choose a port above 1023",
      EADDRNOTAVAIL: "this machine has no such address",
      ENOTFOUND: "no such host name",
    };
    const reason = reasons[code ?? ""] ?? (error as Error).message;
    throw new SteerError("impossible", `cannot listen on ${host} port ${port}: ${reason}`, {
      cause: error,
    });
  }
}
