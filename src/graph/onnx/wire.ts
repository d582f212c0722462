/**
 * Writers of protocol-buffer fields, as far as ONNX files need them. No schema: `encode-graph.ts`
 * knows the field numbers. Equal arguments give equal bytes.
 */

const VARINT = 0;
const BYTES = 2;
const FIXED32 = 5;

/** A field that holds a whole number from -2^53 to 2^53. */
export function numberField(number: number, value: number): Uint8Array {
  return Uint8Array.from([...key(number, VARINT), ...varint(value)]);
}

/** A field that holds a 32-bit float. */
export function floatField(number: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return joinBytes([Uint8Array.from(key(number, FIXED32)), bytes]);
}

/** A field that holds bytes, a text or a message. */
export function bytesField(number: number, content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return joinBytes([Uint8Array.from([...key(number, BYTES), ...varint(bytes.length)]), bytes]);
}

/** A field that holds a message made of these fields. */
export function messageField(number: number, fields: readonly Uint8Array[]): Uint8Array {
  return bytesField(number, joinBytes(fields));
}

/** The pieces, one behind the other. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

function key(number: number, kind: number): number[] {
  return varint(number * 8 + kind);
}

/** Seven bits a byte, lowest first; negative numbers as two's complement of 64 bits. */
function varint(value: number): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) + 128);
  return [...bytes, Number(rest)];
}
