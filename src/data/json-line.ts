import { isUtf8 } from "node:buffer";
import { scanJson } from "./json-scan.ts";
import { MAX_LINE, type RawLine } from "./lines.ts";
import { mayRepeatKeys } from "./repeated-keys.ts";

/** What stands on one line. */
export type JsonLine =
  | { readonly kind: "blank" }
  | { readonly kind: "value"; readonly value: unknown; readonly replaced: number }
  | { readonly kind: "fault"; readonly column?: number; readonly message: string };

/** How the fault of a line begins that a stopped writer left half written. */
export const HALF_LINE = "half line at the end of the file";

const BLANK: JsonLine = { kind: "blank" };

/**
 * Reads a line as one JSON value. Half of a surrogate pair, which JSON can write as an escape but
 * UTF-8 cannot store, becomes U+FFFD and is counted in `replaced`. Columns count UTF-16 units
 * from 1, as editors do.
 */
export function parseJsonLine({ bytes, line, isEnded, isTooLong }: RawLine): JsonLine {
  if (isTooLong) return fault(`line of more than ${MAX_LINE / 2 ** 20} MiB`);
  if (!isUtf8(bytes)) return half(isEnded, notUtf8(bytes, line));
  const written = bytes.toString("utf8");
  if (isBlank(written)) return BLANK;
  const { text, replaced } = repairSurrogates(written);
  try {
    const value: unknown = JSON.parse(text);
    const repeated = mayRepeatKeys(text, value) ? scanJson(text) : null;
    if (repeated) return fault(repeated.message, repeated.position + 1);
    return { kind: "value", value, replaced };
  } catch {
    const found = scanJson(text) ?? { position: 0, message: "is not JSON" };
    return half(isEnded, fault(found.message, found.position + 1));
  }
}

/** Parses bytes that {@link parseJsonLine} has accepted before. */
export function reparseJsonLine(bytes: Buffer): unknown {
  return JSON.parse(repairSurrogates(bytes.toString("utf8")).text);
}

type LineFault = Extract<JsonLine, { kind: "fault" }>;

function fault(message: string, column?: number): LineFault {
  return column === undefined ? { kind: "fault", message } : { kind: "fault", message, column };
}

/** A writer that stopped in the middle of a record leaves a last line without its line end. */
function half(isEnded: boolean, found: LineFault): LineFault {
  if (isEnded) return found;
  return { ...found, message: `${HALF_LINE}, no line end: ${found.message}` };
}

function notUtf8(bytes: Buffer, line: number): LineFault {
  const isWide = line === 1 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE(0));
  if (isWide) return fault("is UTF-16; save the file as UTF-8", 1);
  // Decoding puts U+FFFD in the place of broken bytes, so the first difference is the place.
  const decoded = Buffer.from(bytes.toString("utf8"));
  const at = bytes.findIndex((byte, i) => byte !== decoded[i]);
  const column = bytes.subarray(0, at).toString("utf8").length + 1;
  return fault(`byte 0x${bytes[at]?.toString(16).padStart(2, "0")} is not UTF-8`, column);
}

function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text);
}

const ESCAPES =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/gs;

/** Works on the JSON text, so that keys, values and every depth are covered and columns stay. */
function repairSurrogates(text: string): { text: string; replaced: number } {
  if (!text.includes("\\ud") && !text.includes("\\uD")) return { text, replaced: 0 };
  let replaced = 0;
  const repaired = text.replace(ESCAPES, (found) => {
    if (found.length !== 6) return found;
    replaced++;
    return "\\uFFFD";
  });
  return { text: repaired, replaced };
}
