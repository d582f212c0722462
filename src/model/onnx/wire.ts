import type { RandomAccess } from "./random-access.ts";

/**
 * Reader of the protocol-buffer wire format, as far as ONNX files need it: a walker that yields
 * fields with their places. No schema; `graph-file.ts` knows the field numbers.
 */

/** One field of a message. Positions count from the start of the source. */
export interface Field {
  readonly number: number;
  readonly kind: "varint" | "fixed64" | "bytes" | "fixed32";
  /** Where the field's key begins. */
  readonly start: number;
  /** Where its value begins and ends. */
  readonly from: number;
  readonly to: number;
  /** The value of a varint; NaN for other kinds. */
  readonly value: number;
}

const KINDS: Readonly<Record<number, Field["kind"]>> = {
  0: "varint",
  1: "fixed64",
  2: "bytes",
  5: "fixed32",
};
const LONGEST_VARINT = 10;

/**
 * The fields between two positions, in file order.
 *
 * @throws Error that says at which byte the message is not well-formed or is cut short
 */
export function* readFields(source: RandomAccess, from: number, to: number): Generator<Field> {
  let at = from;
  while (at < to) {
    const start = at;
    const key = readVarint(source, at, to);
    const number = Math.floor(key.value / 8);
    const kind = KINDS[key.value % 8];
    if (kind === undefined || number === 0) throw new Error(`no field begins at byte ${start}`);
    at = key.end;
    let value = Number.NaN;
    let end: number;
    if (kind === "varint") ({ value, end } = readVarint(source, at, to));
    else if (kind === "bytes") {
      const length = readVarint(source, at, to);
      at = length.end;
      end = at + length.value;
    } else end = at + (kind === "fixed64" ? 8 : 4);
    if (end > to) throw new Error(`field ${number} at byte ${start} needs bytes up to ${end}`);
    yield { number, kind, start, from: at, to: end, value };
    at = end;
  }
}

function readVarint(source: RandomAccess, start: number, limit: number) {
  const bytes = source.read(start, Math.min(limit, start + LONGEST_VARINT));
  let value = 0;
  for (const [i, byte] of bytes.entries()) {
    value += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) {
      const isNegative = i === LONGEST_VARINT - 1;
      return { value: isNegative ? readNegative(bytes) : value, end: start + i + 1 };
    }
  }
  throw new Error(`the number at byte ${start} does not end`);
}

/** Negative numbers take all ten bytes, in two's complement of 64 bits. */
function readNegative(bytes: Uint8Array): number {
  let bits = 0n;
  for (const [i, byte] of bytes.entries()) bits |= BigInt(byte & 127) << BigInt(7 * i);
  return Number(BigInt.asIntN(64, bits));
}

/** The text of a field of kind `bytes`. */
export function readText(source: RandomAccess, field: Field): string {
  return Buffer.from(source.read(field.from, field.to)).toString("utf8");
}

/** The whole field as it stands, key included. */
export function rawField(source: RandomAccess, field: Field): Uint8Array {
  return source.read(field.start, field.to);
}
