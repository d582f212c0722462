import { compareText } from "../../core/hash.ts";
import { countOf } from "../shape.ts";
import { PREFIX_BYTES } from "./header.ts";
import { bytesPerNumber, encodeNumbers, type NumberFormat } from "./number-formats.ts";

/** A tensor to be written; its numbers are only asked for when it is its turn. */
export interface TensorToWrite {
  readonly format: NumberFormat;
  readonly shape: readonly number[];
  readonly numbers: () => Float32Array;
}

/** Tensors behind the header begin at a multiple of it. */
const ALIGNMENT = 8;

/**
 * A safetensors file, in pieces: equal tensors give equal bytes, whatever order they come in.
 * Wider formats stand first, then names in order, so that every tensor is aligned.
 *
 * @param metadata texts for the header, such as `{ format: "pt" }`, without which torch's loader
 * refuses a file
 * @throws Error when a tensor's numbers do not fill its shape
 */
export function* safetensorsPieces(
  tensors: ReadonlyMap<string, TensorToWrite>,
  metadata: Readonly<Record<string, string>> = { format: "pt" },
): Generator<Uint8Array> {
  const ordered = [...tensors].sort(
    ([a, { format: fa }], [b, { format: fb }]) =>
      bytesPerNumber(fb) - bytesPerNumber(fa) || compareText(a, b),
  );
  const header: Record<string, unknown> = { __metadata__: metadata };
  let end = 0;
  for (const [name, { format, shape }] of ordered) {
    const start = end;
    end += countOf(shape) * bytesPerNumber(format);
    header[name] = { dtype: format, shape, data_offsets: [start, end] };
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = new Uint8Array(Math.ceil(text.length / ALIGNMENT) * ALIGNMENT).fill(0x20);
  padded.set(text);
  const prefix = new Uint8Array(PREFIX_BYTES);
  new DataView(prefix.buffer).setBigUint64(0, BigInt(padded.length), true);
  yield prefix;
  yield padded;
  for (const [name, { format, shape, numbers }] of ordered) {
    const values = numbers();
    if (values.length !== countOf(shape)) {
      throw new Error(`${name} has ${values.length} numbers for the shape ${shape.join("x")}`);
    }
    yield encodeNumbers(values, format);
  }
}
