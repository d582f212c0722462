import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { SteerError } from "../core/errors.ts";

/** What was done to the end of an interrupted file. */
export type Repair =
  /** A finished row lacked only its line end, which was added. */
  | { readonly kind: "line_end" }
  /** The beginning of a row was moved aside. */
  | { readonly kind: "torn"; readonly bytes: number; readonly savedTo: string };

/** What was done, for people. */
export function repairText(repair: Repair): string {
  return repair.kind === "line_end"
    ? "the last row lacked its line end, which was added"
    : `half a row (${repair.bytes} bytes) was moved to ${repair.savedTo}; it will be asked again`;
}

const LF = 10;
/** The first bytes of a gzip file: readers take one, but nothing can be appended to it. */
const GZIP = [0x1f, 0x8b];

/**
 * Makes the end of `answers.jsonl` whole again before rows are appended. A writer that is killed
 * leaves at most one line without its end, and never one with it:
 *
 * - a row that is complete gets its line end: the answer is finished and is not asked for again;
 * - anything shorter cannot be a row (the beginning of a JSON object is no JSON), so its bytes move
 *   to `answers.torn-N` beside the file and the file is cut back to its last whole line.
 *
 * All bytes before that line stay as they are. Readers repair nothing: to them a half line is a
 * fault.
 *
 * @param isRow whether a text is one whole row of this run
 * @throws SteerError `state` for a compressed file
 */
export function repairEnd(path: string, isRow: (line: string) => boolean): Repair | null {
  const bytes = readFileSync(path);
  if (bytes[0] === GZIP[0] && bytes[1] === GZIP[1]) {
    const message = "is compressed; unpack it before the run goes on, rows are appended to it";
    throw new SteerError("state", `${path}: ${message}`);
  }
  const end = bytes.lastIndexOf(LF) + 1;
  if (end === bytes.length) return null;
  const tail = bytes.subarray(end);
  const isWhole = isRow(tail.toString("utf8"));
  const savedTo = isWhole ? "" : saveBeside(path, tail);
  const file = openSync(path, "r+");
  try {
    if (isWhole) writeSync(file, "\n", bytes.length);
    else ftruncateSync(file, end);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return isWhole ? { kind: "line_end" } : { kind: "torn", bytes: tail.length, savedTo };
}

/** Writes to the first free `answers.torn-N` and on to the disk, before the original is cut. */
function saveBeside(path: string, bytes: Uint8Array): string {
  let n = 1;
  while (existsSync(tornPath(path, n))) n++;
  const savedTo = tornPath(path, n);
  const file = openSync(savedTo, "wx");
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return savedTo;
}

function tornPath(path: string, n: number): string {
  return join(path, "..", `answers.torn-${n}`);
}
