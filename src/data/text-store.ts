import { readSync } from "node:fs";
import { SteerError } from "../core/errors.ts";

/** Bytes of a set's rows, to be read again. A returned buffer is valid until the next read. */
export interface TextStore {
  read(offset: number, length: number): Buffer;
}

/** Read ahead when rows are asked for in the order in which they stand. */
const WINDOW = 1 << 16;

/** Rows of an open file, read at their offsets. */
export function fileText(name: string, descriptor: number): TextStore {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  const readAt = (offset: number, length: number): Buffer => {
    const buffer = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const count = readSync(descriptor, buffer, done, length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  };
  return {
    read(offset, length) {
      const end = start + window.length;
      if (offset < start || offset + length > end) {
        const isNext = offset >= start && offset <= end + 2;
        window = readAt(offset, isNext ? Math.max(length, WINDOW) : length);
        start = offset;
      }
      if (window.length < offset - start + length) {
        throw new SteerError("unreadable", `${name}: became shorter while it was in use`);
      }
      return window.subarray(offset - start, offset - start + length);
    },
  };
}

/** Rows that cannot be read again from where they came: gzip and streams. */
export interface MemoryText extends TextStore {
  /** Copies a row; the result is its offset for `read`. */
  add(bytes: Uint8Array): number;
}

/** Few large blocks, because a buffer for each row would cost more than the row. */
const BLOCK = 1 << 22;
/** Offsets are block number × this + place in the block; above the longest line. */
const BLOCK_SPAN = 2 ** 27;

export function memoryText(): MemoryText {
  const blocks: Buffer[] = [];
  let used = 0;
  return {
    add(bytes) {
      let block = blocks.at(-1);
      if (!block || used + bytes.length > block.length) {
        block = Buffer.allocUnsafe(Math.max(BLOCK, bytes.length));
        blocks.push(block);
        used = 0;
      }
      block.set(bytes, used);
      used += bytes.length;
      return (blocks.length - 1) * BLOCK_SPAN + used - bytes.length;
    },
    read(offset, length) {
      const place = offset % BLOCK_SPAN;
      const block = blocks[(offset - place) / BLOCK_SPAN];
      if (!block) throw new RangeError(`no row at ${offset}`);
      return block.subarray(place, place + length);
    },
  };
}
