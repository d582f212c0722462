import { type Fault, SteerError } from "../../core/errors.ts";
import { countOf } from "../shape.ts";
import { bytesPerNumber, NUMBER_FORMATS, type NumberFormat } from "./number-formats.ts";

/** Where a tensor lies in a file. */
export interface TensorPlace {
  readonly format: NumberFormat;
  readonly shape: readonly number[];
  /** Bytes from the beginning of the file. */
  readonly offset: number;
  readonly length: number;
}

/** What the head of a safetensors file says: tensors by name, in file order, and free texts. */
export interface SafetensorsHeader {
  readonly tensors: ReadonlyMap<string, TensorPlace>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Bytes in front of the header, which hold its length. */
export const PREFIX_BYTES = 8;
/** As in the reference reader: no header of a real model comes near it. */
const LONGEST_HEADER = 100_000_000;
const METADATA = "__metadata__";
const AGAIN = "download it again";

/**
 * The header's length, from the first eight bytes.
 *
 * @throws SteerError `unreadable` when they cannot be the beginning of such a file
 */
export function headerLength(prefix: Uint8Array, fileSize: number, file: string): number {
  const text = new TextDecoder().decode(prefix);
  const refuse = (what: string) => new SteerError("unreadable", `${file}: ${what}`);
  if (text.startsWith("version")) {
    throw refuse("is a git-lfs pointer; run `git lfs pull` or download the file itself");
  }
  if (prefix.length < PREFIX_BYTES) throw refuse(`has only ${fileSize} bytes; ${AGAIN}`);
  const length = Number(new DataView(prefix.slice().buffer).getBigUint64(0, true));
  if (length < 2 || length > LONGEST_HEADER) {
    throw refuse(`is no safetensors file: its first 8 bytes name a header of ${length} bytes`);
  }
  if (PREFIX_BYTES + length > fileSize) {
    const message = `is cut short: its header needs ${length} bytes, and the file has ${fileSize}`;
    throw refuse(`${message}; ${AGAIN}`);
  }
  return length;
}

/**
 * Reads and checks a header: known number formats, lengths that fit the shapes, tensors that
 * follow one another without gaps up to the end of the file.
 *
 * @throws SteerError that lists every fault with the tensor it concerns
 */
export function readHeader(header: Uint8Array, fileSize: number, file: string): SafetensorsHeader {
  const content = parse(header, file);
  const start = PREFIX_BYTES + header.length;
  const faults: Fault[] = [];
  const tensors = new Map<string, TensorPlace>();
  for (const [name, entry] of Object.entries(content)) {
    if (name === METADATA) continue;
    const place = readEntry(entry, start);
    if (typeof place === "string") faults.push({ file, path: name, message: place });
    else tensors.set(name, place);
  }
  if (faults.length > 0) throw SteerError.fromFaults("invalid", faults);
  // Of two that begin at one place, the empty one stands first.
  const inOrder = [...tensors].sort(([, a], [, b]) => a.offset - b.offset || a.length - b.length);
  const ordered = new Map(inOrder);
  checkOrder(ordered, start, fileSize, file);
  return { tensors: ordered, metadata: textsOf(content[METADATA]) };
}

function parse(header: Uint8Array, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(header));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Told below, as for a header that is JSON of another kind.
  }
  throw new SteerError("unreadable", `${file}: its header is no JSON object; ${AGAIN}`);
}

/** A tensor's place, or what is wrong with its entry. */
function readEntry(entry: unknown, start: number): TensorPlace | string {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const format = NUMBER_FORMATS.find((known) => known === dtype);
  if (format === undefined) {
    const known = NUMBER_FORMATS.join(", ");
    return `is stored as ${JSON.stringify(dtype)}, and only ${known} can be read; convert the model`;
  }
  if (!isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) {
    return "has no shape and data_offsets made of whole numbers";
  }
  const [from, to] = offsets as [number, number];
  const length = countOf(shape) * bytesPerNumber(format);
  if (to - from !== length) {
    return `of shape ${shape.join("x")} needs ${length} bytes, and its offsets give it ${to - from}`;
  }
  return { format, shape, offset: start + from, length };
}

function checkOrder(
  tensors: ReadonlyMap<string, TensorPlace>,
  start: number,
  fileSize: number,
  file: string,
): void {
  let end = start;
  for (const [name, { offset, length }] of tensors) {
    if (offset !== end) {
      const message = `${file}: ${name} begins at byte ${offset} instead of ${end}`;
      throw new SteerError("invalid", `${message}; the header is broken`);
    }
    end = offset + length;
  }
  if (end === fileSize) return;
  const sizes = `its tensors end at byte ${end}, and the file has ${fileSize}`;
  const what = end > fileSize ? "is cut short" : "has bytes behind its tensors";
  throw new SteerError("unreadable", `${file}: ${what}: ${sizes}; ${AGAIN}`);
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((value ?? {}) as object).filter(([, text]) => typeof text === "string"),
  );
}
