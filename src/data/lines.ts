/** One line of a byte stream, without its end. */
export interface RawLine {
  /** Empty when the line was too long to keep. */
  readonly bytes: Buffer;
  /** Byte offset of its beginning in the stream. */
  readonly offset: number;
  /** Counts from 1. */
  readonly line: number;
  /** Whether a line feed follows; false only for a last line that was not finished. */
  readonly isEnded: boolean;
  readonly isTooLong: boolean;
}

/** Longest line that is kept, in bytes: far above any record, far below what a text can hold. */
export const MAX_LINE = 1 << 26;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Cuts a stream into lines at LF or CRLF and drops a byte-order mark. Holds one chunk and one
 * line, whatever the length of the stream. Lines come in batches, one for each chunk.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine[]> {
  const cutter = new LineCutter();
  for await (const chunk of chunks) yield cutter.take(chunk);
  yield cutter.finish();
}

class LineCutter {
  private parts: Buffer[] = [];
  private partBytes = 0;
  private offset = 0;
  private line = 1;

  take(chunk: Buffer): RawLine[] {
    const lines: RawLine[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) break;
      this.keep(chunk.subarray(start, end));
      lines.push(this.cut(true));
      start = end + 1;
    }
    // Copied, so that a chunk is not held for the few bytes at its end.
    if (start < chunk.length) this.keep(Buffer.from(chunk.subarray(start)));
    return lines;
  }

  finish(): RawLine[] {
    return this.partBytes > 0 ? [this.cut(false)] : [];
  }

  private keep(part: Buffer): void {
    this.partBytes += part.length;
    if (this.partBytes > MAX_LINE) this.parts = [];
    else this.parts.push(part);
  }

  private cut(isEnded: boolean): RawLine {
    const { parts, partBytes, offset, line } = this;
    const isTooLong = partBytes > MAX_LINE;
    const [only] = parts;
    const whole = parts.length === 1 && only ? only : Buffer.concat(parts);
    const skipped = line === 1 && whole.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    const end = whole.at(-1) === CARRIAGE_RETURN ? whole.length - 1 : whole.length;
    this.parts = [];
    this.partBytes = 0;
    this.offset += partBytes + (isEnded ? 1 : 0);
    this.line++;
    const bytes = isTooLong ? Buffer.alloc(0) : whole.subarray(skipped, end);
    return { bytes, offset: offset + skipped, line, isEnded, isTooLong };
  }
}
