import { closeSync, fstatSync, openSync, read, type Stats } from "node:fs";
import { promisify } from "node:util";

const readInto = promisify(read);

/** A file that is read from its beginning, chunk by chunk. */
export interface OpenFile {
  readonly descriptor: number;
  readonly stats: Stats;
  /** Can be read once; each chunk is a buffer of its own. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Closes the file, after the read that is under way, if one is. */
  close(): void;
}

/**
 * Opens a file for reading. Not a `ReadStream`: that reads ahead, and whoever closes the descriptor
 * under such a read gives its number to the next file, from which the read then takes the first
 * chunk unseen. Here a read under way holds the descriptor, and files are read at positions of
 * their own.
 *
 * @param chunkBytes largest chunk
 */
export function openFile(path: string, chunkBytes: number): OpenFile {
  const descriptor = openSync(path, "r");
  let isReading = false;
  let isClosed = false;
  const stats = fstatSync(descriptor);
  // Pipes and devices have no positions.
  const isSeekable = stats.isFile();
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let position = 0; !isClosed; ) {
      const buffer = Buffer.allocUnsafeSlow(chunkBytes);
      isReading = true;
      let bytesRead = 0;
      try {
        const at = isSeekable ? position : null;
        ({ bytesRead } = await readInto(descriptor, buffer, 0, chunkBytes, at));
      } finally {
        isReading = false;
        if (isClosed) closeSync(descriptor);
      }
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  return {
    descriptor,
    stats,
    chunks: chunks(),
    close() {
      if (isClosed) return;
      isClosed = true;
      if (!isReading) closeSync(descriptor);
    },
  };
}
