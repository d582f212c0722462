import { isUtf8 } from "node:buffer";
import { SteerError } from "../core/errors.ts";
import { scanJson } from "../data/json-scan.ts";
import type { Limits } from "./limits.ts";

/** How large a received value may be, whatever its bytes. */
export type JsonLimits = Pick<Limits, "depth" | "values">;

/**
 * Reads received bytes as one JSON value.
 *
 * @throws SteerError `invalid`, with the position of the fault
 */
export function readJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  if (!isUtf8(bytes)) throw new SteerError("invalid", "the text is not UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  // Before parsing, which spends time and memory on every level and value.
  const { excess, fields } = measure(text, limits);
  if (excess) {
    throw new SteerError("invalid", `${placeOf(text, excess.position)}: ${excess.message}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    // Of two equal names the parsed value keeps one. Which of them was meant, nobody can tell.
    if (countFields(value) === fields) return value;
  } catch {
    // The scan below says what is wrong and where.
  }
  const { position, message } = scanJson(text) ?? { position: 0, message: "is not JSON" };
  const place = placeOf(text, position);
  throw new SteerError("invalid", `${place}: ${message}${hintAt(text, position)}`);
}

const QUOTE = 34;
const BACKSLASH = 92;
const [COMMA, COLON] = [44, 58];
const [OPEN_LIST, CLOSE_LIST] = [91, 93];
const [OPEN_OBJECT, CLOSE_OBJECT] = [123, 125];

/** A walk over a JSON text. */
interface Measured {
  /** Where the text holds more than it may; null when it nowhere does. */
  readonly excess: { readonly position: number; readonly message: string } | null;
  /** Fields of all objects together, repeated ones included. */
  readonly fields: number;
}

/** Walks over a JSON text, jumping over its strings. Of what is not JSON, some part may go unseen. */
function measure(text: string, { depth: deepest, values: most }: JsonLimits): Measured {
  let [depth, values, fields] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
      if (i < 0) break;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++;
      if (++depth > deepest) {
        const message = `more than ${deepest} objects and arrays inside each other`;
        return { excess: { position: i, message }, fields };
      }
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COLON) fields++;
    else if (code === COMMA && ++values > most) {
      const message = `more than ${most} values; send fewer at once`;
      return { excess: { position: i, message }, fields };
    }
  }
  return { excess: null, fields };
}

/** Fields of all objects in a value together. The value's depth is bounded. */
function countFields(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (!Array.isArray(value)) count = Object.keys(value).length;
  for (const each of Object.values(value)) count += countFields(each);
  return count;
}

/** The closing quote of the string that opens at `start`; -1 when there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split("\n").length;
  const column = position - before.lastIndexOf("\n");
  return `position ${position} (line ${line}, column ${column})`;
}

function hintAt(text: string, position: number): string {
  const word = /^-?(?:NaN|Infinity)/.exec(text.slice(position, position + 9));
  return word
    ? `. Python's json writes ${word[0]} for floats that are not finite: send null, or leave the field out`
    : "";
}
