import { z } from "zod";
import type { SteerError } from "../../core/errors.ts";
import type { Player } from "../episodes.ts";
import { readJson } from "../read-json.ts";
import type { Service } from "../service.ts";
import { validated } from "../validated.ts";
import { toWireError } from "../wire-error.ts";
import { resetEnvironment, stateOf, stepEnvironment } from "./environment.ts";
import { answerJsonRpc } from "./json-rpc.ts";
import { resetRequestSchema } from "./schemas.ts";

/** The protocol's error codes. */
export type SocketErrorCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "VALIDATION_ERROR"
  | "EXECUTION_ERROR"
  | "CAPACITY_REACHED"
  | "SESSION_ERROR";

const resetMessage = z.strictObject({
  type: z.literal("reset"),
  data: resetRequestSchema.default({}),
});
const stepMessage = z.strictObject({ type: z.literal("step"), data: z.looseObject({}) });
const bareMessage = z.strictObject({ type: z.enum(["state", "close"]) });
const mcpMessage = z.strictObject({ type: z.literal("mcp"), data: z.looseObject({}) });

/** An error message of the protocol; the session goes on unless the server closes it. */
export function errorMessage(code: SocketErrorCode, message: string, more: object = {}): string {
  return JSON.stringify({ type: "error", data: { message, code, ...more } });
}

/**
 * Answers one message of a session.
 *
 * @returns null for `close`
 */
export function answerMessage(bytes: Buffer, player: Player, service: Service): string | null {
  let message: unknown;
  try {
    message = readJson(bytes, service.limits);
  } catch (error) {
    return errorMessage("INVALID_JSON", `Invalid JSON: ${(error as SteerError).message}`);
  }
  const { type } = Object(message) as { type?: unknown };
  try {
    switch (type) {
      case "reset": {
        const { data } = validated(resetMessage, message);
        return reply("observation", resetEnvironment(service, player, data));
      }
      case "step": {
        const { data } = validated(stepMessage, message);
        return reply("observation", stepEnvironment(service, player, data));
      }
      case "state":
        validated(bareMessage, message);
        return reply("state", stateOf(player));
      case "mcp":
        return reply("mcp", answerJsonRpc(validated(mcpMessage, message).data));
      case "close":
        validated(bareMessage, message);
        return null;
      default:
        return errorMessage(
          "UNKNOWN_TYPE",
          "unknown message type; use reset, step, state, close or mcp",
        );
    }
  } catch (error) {
    const { code, message: why } = toWireError(error, service.log);
    return errorMessage(code === "invalid" ? "VALIDATION_ERROR" : "EXECUTION_ERROR", why);
  }
}

function reply(type: "observation" | "state" | "mcp", data: object): string {
  return JSON.stringify({ type, data });
}
