import type { z } from "zod";
import { validated } from "./validated.ts";
import type { WireError } from "./wire-error.ts";

/** What a handler may know of the request besides its body. */
export interface Call {
  /** Whether the client has hung up, so that nobody waits for the reply. */
  isGone(): boolean;
}

/** JSON text; or what is refused, where that is no fault of the request. */
export type Handled = string | { readonly refused: WireError };

/** One HTTP route. Its schemas check what comes in and describe it in the OpenAPI document. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly tag: "server" | "scoring" | "openenv" | "nemo-gym";
  readonly summary: string;
  /** Null when the request has no body; an absent body counts as an empty object. */
  readonly body: z.ZodType | null;
  /** The form of a good reply. */
  readonly reply: z.ZodType;
  /** Status of a body that breaks the schema: 400, or 422 where clients expect FastAPI's. */
  readonly invalidStatus: 400 | 422;
  readonly handle: (body: unknown, call: Call) => Handled | Promise<Handled>;
}

type Shape = Omit<Route, "body" | "handle">;

/** A route that takes no body. */
export function getRoute(
  shape: Omit<Shape, "method" | "invalidStatus">,
  handle: () => string,
): Route {
  return { ...shape, method: "GET", invalidStatus: 400, body: null, handle };
}

/**
 * A route that takes a body.
 *
 * @param body describes the body
 * @param checked what the body is checked with, where its items are checked one by one later
 */
export function postRoute<Body>(
  shape: Omit<Shape, "method"> & {
    readonly body: z.ZodType;
    readonly checked: z.ZodType<Body>;
  },
  handle: (body: Body, call: Call) => Handled | Promise<Handled>,
): Route {
  const { checked, ...rest } = shape;
  return {
    ...rest,
    method: "POST",
    handle: (body, call) => handle(validated(checked, body), call),
  };
}
