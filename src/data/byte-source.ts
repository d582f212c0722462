import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { SteerError } from "../core/errors.ts";
import { readError } from "./file-error.ts";
import { type OpenFile, openFile } from "./open-file.ts";

/** Bytes are read in pieces of this size; nothing larger is held. */
const CHUNK = 1 << 20;

/** An opened input. */
export interface ByteSource {
  /** How errors name it: the path, or `stdin`. */
  readonly name: string;
  /** The text's bytes, unpacked where they were packed; can be read once. */
  readonly chunks: AsyncIterable<Buffer>;
  /** File descriptor through which text offsets can be read again; null for streams and gzip. */
  readonly descriptor: number | null;
  /** Size as stored; null when unknown. */
  readonly storedBytes: number | null;
  /** Stored bytes taken so far. */
  readBytes(): number;
  /** Hex sha256 of the stored bytes, once `chunks` has ended. */
  sha256(): string;
  close(): void;
}

/**
 * Opens a file, or stdin for `-`. Gzip is told by its first bytes, whatever the name; all its
 * members are read, and bytes that belong to none are an error.
 *
 * @throws SteerError `not_found` or `unreadable`, also while `chunks` is read
 */
export async function openBytes(path: string): Promise<ByteSource> {
  if (path === "-") return toSource("stdin", process.stdin);
  let file: OpenFile | undefined;
  try {
    file = openFile(path, CHUNK);
    if (file.stats.isDirectory()) {
      throw new SteerError("unreadable", `${path}: is a folder, not a file`);
    }
    return await toSource(path, file.chunks, file);
  } catch (error) {
    file?.close();
    throw readError(path, error);
  }
}

/** @param file absent for stdin */
async function toSource(
  name: string,
  stream: AsyncIterable<Buffer>,
  file?: OpenFile,
): Promise<ByteSource> {
  const isRegular = file?.stats.isFile() ?? false;
  const hash = createHash("sha256");
  let readBytes = 0;
  const stored = (async function* () {
    try {
      for await (const chunk of stream) {
        readBytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      throw readError(name, error);
    }
  })();
  const first = await firstBytes(stored);
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  if (!isGzip && name.endsWith(".gz")) {
    throw new SteerError("unreadable", `${name}: is not gzip, though its name ends with .gz`);
  }
  const whole = prepend(first, stored);
  return {
    name,
    chunks: isGzip ? gunzip(name, whole, () => readBytes) : whole,
    descriptor: isRegular && !isGzip ? (file?.descriptor ?? null) : null,
    storedBytes: isRegular ? (file?.stats.size ?? null) : null,
    readBytes: () => readBytes,
    sha256: () => hash.copy().digest("hex"),
    close: () => file?.close(),
  };
}

/** Enough to tell gzip: a slow writer may hand over single bytes. */
async function firstBytes(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const taken: Buffer[] = [];
  let length = 0;
  while (length < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    taken.push(value);
    length += value.length;
  }
  return taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken);
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* gunzip(
  name: string,
  packed: AsyncIterable<Buffer>,
  packedBytes: () => number,
): AsyncGenerator<Buffer> {
  const unpacker = createGunzip({ chunkSize: CHUNK });
  // Without a callback the failure would also be thrown apart from the loop below.
  pipeline(Readable.from(packed), unpacker, () => {});
  try {
    yield* unpacker as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof SteerError) throw error;
    const { message } = error as Error;
    throw new SteerError("unreadable", `${name}: broken gzip data: ${message}`, { cause: error });
  }
  // zlib takes zero bytes after the last member for padding and stops there.
  const extra = packedBytes() - unpacker.bytesWritten;
  if (extra > 0) {
    throw new SteerError("unreadable", `${name}: ${extra} bytes follow the end of the gzip data`);
  }
}
