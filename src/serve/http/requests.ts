import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SteerError } from "../../core/errors.ts";
import type { Limits } from "../limits.ts";
import { readJson } from "../read-json.ts";
import type { Route } from "../route.ts";
import { errorBody, type Log, statusOf, toWireError, type WireError } from "../wire-error.ts";
import { BodyReader, type ReceivedBody } from "./body.ts";

/** What answering needs besides the route. */
export interface Answering {
  readonly limits: Limits;
  readonly log: Log;
  /** Whether the server is ending, so that a connection closes after its reply. */
  readonly isEnding: () => boolean;
}

/** Makes the app take JSON bodies as bytes, which each route reads by itself. */
export function takeBodies(app: FastifyInstance, limits: Limits): void {
  const bodies = new BodyReader(limits);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[a-z0-9.-]+\+)?json\b/,
    (request: FastifyRequest): Promise<ReceivedBody> => bodies.receive(request.raw),
  );
}

/** Adds a route: reads and checks the body, and answers, whatever happens. */
export function addRoute(app: FastifyInstance, route: Route, answering: Answering): void {
  const { method, path: url } = route;
  app.route({
    method,
    url,
    async handler(request, reply) {
      const received = (request.body ?? { bytes: EMPTY }) as ReceivedBody;
      if ("isGone" in received) return reply.hijack();
      if ("refused" in received) {
        // More of the body may come, which is nobody's request.
        if (!request.raw.complete) reply.header("connection", "close");
        return refuse(reply, received.refused, answering);
      }
      try {
        const handled = await route.handle(readBody(request, received.bytes, answering), {
          isGone: () => reply.raw.destroyed,
        });
        if (typeof handled !== "string") return refuse(reply, handled.refused, answering);
        return sendJson(reply, 200, handled, answering);
      } catch (error) {
        const wire = toWireError(error, answering.log);
        const status = wire.code === "invalid" ? route.invalidStatus : statusOf(wire.code);
        return sendJson(reply, status, errorBody(wire), answering);
      }
    },
  });
}

const EMPTY = Buffer.alloc(0);

function readBody(request: FastifyRequest, bytes: Buffer, { limits }: Answering): unknown {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new SteerError("invalid", `Content-Encoding ${encoding}: send the body as it is`);
  }
  return bytes.length === 0 ? {} : readJson(bytes, limits);
}

/** Replies with an error. */
export function refuse(reply: FastifyReply, error: WireError, answering: Answering): FastifyReply {
  return sendJson(reply, statusOf(error.code), errorBody(error), answering);
}

/** Replies with JSON text. */
export function sendJson(
  reply: FastifyReply,
  status: number,
  json: string,
  { isEnding }: Answering,
): FastifyReply {
  if (isEnding()) reply.header("connection", "close");
  const bytes = Buffer.from(json, "utf8");
  return reply.code(status).header("content-type", "application/json").send(bytes);
}
