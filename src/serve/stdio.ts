import type { Readable } from "node:stream";
import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { splitLines } from "../data/lines.ts";
import { itemIdSchema } from "./item-schema.ts";
import { choosePricing } from "./pricing.ts";
import { readJson } from "./read-json.ts";
import { scoreItem } from "./score-item.ts";
import type { Service } from "./service.ts";
import { validated } from "./validated.ts";
import { toWireError } from "./wire-error.ts";

/** Where frames come from and go to. */
export interface StdioOptions {
  readonly input: Readable;
  /** Takes one line; waits while a slow reader catches up. */
  readonly write: (line: string) => Promise<void>;
  /** Aborted to stop reading; lines that were read are still answered. */
  readonly signal: AbortSignal;
}

/**
 * Scores frames, one a line: `{id, scheme?, answers: [item, …]}` in, `{id, results: [result, …]}`
 * out, in order, until the input ends. A line that is no frame gets `{id, error}` and harms no
 * other. Items and results are those of `POST /v1/score`.
 */
export async function serveStdio(
  service: Service,
  { input, write, signal }: StdioOptions,
): Promise<void> {
  const schema = frameSchema(service.limits.frameItems);
  const stop = () => input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const lines of splitLines(input)) {
      for (const { bytes, isTooLong } of lines) {
        if (bytes.length === 0 && !isTooLong) continue;
        await write(`${answerFrame(isTooLong ? null : bytes, schema, service)}\n`);
      }
    }
  } catch (error) {
    // Destroying the input ends its reading with an error.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** @param bytes the line; null when it was too long to keep */
function answerFrame(
  bytes: Buffer | null,
  schema: ReturnType<typeof frameSchema>,
  service: Service,
): string {
  const { limits, schemes, traces, log } = service;
  let frame: unknown;
  try {
    if (bytes === null || bytes.length > limits.bodyBytes) {
      throw new SteerError("invalid", `the line is longer than ${limits.bodyBytes} bytes`);
    }
    frame = readJson(bytes, limits);
    const { id, answers, ...choice } = validated(schema, frame);
    const scoring = { pricing: choosePricing(choice, schemes), key: traces, log };
    const results = answers.map((item) => JSON.stringify(scoreItem(item, scoring)));
    return `{"id":${JSON.stringify(id)},"results":[${results.join(",")}]}`;
  } catch (error) {
    return JSON.stringify({ id: idOf(frame), error: toWireError(error, log) });
  }
}

function frameSchema(most: number) {
  return z.strictObject({
    id: itemIdSchema,
    scheme: z.unknown().optional(),
    schemes: z.array(z.unknown()).nullish(),
    answers: z.array(z.unknown()).max(most, `must hold at most ${most} answers`),
  });
}

function idOf(frame: unknown): string | number | null {
  const { id } = Object(frame) as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}
