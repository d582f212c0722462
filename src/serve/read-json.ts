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
  const excess = findExcess(text, limits);
  if (excess) {
    throw new SteerError("invalid", `${placeOf(text, excess.position)}: ${excess.message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    const { position, message } = scanJson(text) ?? { position: 0, message: "is not JSON" };
    throw new SteerError(
      "invalid",
      `${placeOf(text, position)}: ${message}${hintAt(text, position)}`,
    );
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const [OPEN_LIST, CLOSE_LIST] = [91, 93];
const [OPEN_OBJECT, CLOSE_OBJECT] = [123, 125];

/**
 * Where a JSON text holds more than it may; null when it nowhere does. Of a text that is not JSON,
 * some part may go unseen.
 */
function findExcess(text: string, { depth: deepest, values: most }: JsonLimits) {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
      if (i < 0) return null;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++;
      if (++depth > deepest) {
        return {
          position: i,
          message: `more than ${deepest} objects and arrays inside each other`,
        };
      }
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COMMA && ++values > most) {
      return { position: i, message: `more than ${most} values; send fewer at once` };
    }
  }
  return null;
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
