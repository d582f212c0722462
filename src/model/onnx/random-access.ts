import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Bytes that are read piece by piece, so that a graph of several GB never lies in memory whole. */
export interface RandomAccess {
  readonly size: number;
  /** A copy of the bytes from `start` to `end`; both must lie within the size. */
  read(start: number, end: number): Uint8Array;
  close(): void;
}

/** Bytes at hand. */
export function accessBytes(bytes: Uint8Array): RandomAccess {
  return { size: bytes.length, read: (start, end) => bytes.slice(start, end), close: () => {} };
}

const WINDOW_BYTES = 1 << 16;

/**
 * A file, read through one window: walking a graph reads many small pieces in ascending order and
 * jumps over the tensors between them.
 *
 * @throws Error of `node:fs` when the file cannot be opened or read
 */
export function accessFile(path: string): RandomAccess {
  const file = openSync(path, "r");
  const { size } = fstatSync(file);
  const window: { start: number; bytes: Uint8Array } = { start: 0, bytes: new Uint8Array(0) };

  const load = (start: number, end: number): Uint8Array => {
    const bytes = new Uint8Array(end - start);
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(file, bytes, done, bytes.length - done, start + done);
      if (count === 0) throw new Error(`${path} ended at byte ${start + done} while it was read`);
      done += count;
    }
    return bytes;
  };

  return {
    size,
    read(start, end) {
      if (end - start >= WINDOW_BYTES) return load(start, end);
      if (start < window.start || end > window.start + window.bytes.length) {
        window.start = start;
        window.bytes = load(start, Math.min(size, start + WINDOW_BYTES));
      }
      return window.bytes.slice(start - window.start, end - window.start);
    },
    close: () => closeSync(file),
  };
}
