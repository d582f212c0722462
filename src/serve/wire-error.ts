import { z } from "zod";
import { ERROR_CODES, SteerError } from "../core/errors.ts";

/** What can be wrong over a wire: {@link ERROR_CODES}, and what only a server can refuse. */
export const WIRE_CODES = [
  ...ERROR_CODES,
  "unauthorized",
  "forbidden",
  "unsupported",
  "too_large",
  "busy",
  "internal",
] as const;

/** See {@link WIRE_CODES}. */
export type WireCode = (typeof WIRE_CODES)[number];

/** An error as clients see it. */
export const wireErrorSchema = z.strictObject({ code: z.enum(WIRE_CODES), message: z.string() });

/** See {@link wireErrorSchema}. */
export type WireError = z.infer<typeof wireErrorSchema>;

/** Writes a line to the server's log, which no client sees. */
export type Log = (line: string) => void;

/** A thrown error as a client may see it; what only this program's author can repair is logged. */
export function toWireError(error: unknown, log: Log): WireError {
  if (error instanceof SteerError) return { code: error.code, message: error.message };
  log(`internal error: ${(error as Error)?.stack ?? error}\n`);
  return { code: "internal", message: "a fault in the server; its log says more" };
}

const STATUS: Readonly<Record<WireCode, number>> = {
  usage: 400,
  invalid: 400,
  duplicate: 400,
  foreign_version: 400,
  dominated: 400,
  unauthorized: 401,
  forbidden: 403,
  held_out: 403,
  not_found: 404,
  mismatch: 409,
  impossible: 409,
  state: 409,
  too_large: 413,
  unsupported: 415,
  unreadable: 500,
  unwritable: 500,
  unverified: 500,
  internal: 500,
  interrupted: 503,
  busy: 503,
};

/** The HTTP status that goes with a code. */
export function statusOf(code: WireCode): number {
  return STATUS[code];
}

/** The JSON body of an error reply. */
export function errorBody(error: WireError): string {
  return JSON.stringify({ error });
}
