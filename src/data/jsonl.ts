import type { z } from "zod";
import { type ByteSource, openBytes } from "./byte-source.ts";
import { explainIssues } from "./explain.ts";
import { FaultList } from "./faults.ts";
import { type JsonLine, parseJsonLine } from "./json-line.ts";
import { splitLines } from "./lines.ts";

/** Reports how much of a task is done. */
export type OnProgress = (done: number, total: number) => void;

/** One line of a JSONL input. */
export interface JsonlLine {
  /** Counts from 1; blank lines count. */
  readonly line: number;
  /** Where the line's bytes begin in the text. */
  readonly offset: number;
  /** The line without its end. */
  readonly bytes: Buffer;
  readonly parsed: JsonLine;
}

/** Where a row stands: enough to name it and to read it again. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
  readonly bytes: Buffer;
}

/** What a JSONL input held. */
export interface JsonlSummary {
  /** Rows that were read without a fault. */
  readonly rows: number;
  readonly blankLines: number;
  /** Lone surrogates replaced by U+FFFD. */
  readonly replacedCharacters: number;
}

/**
 * The lines of a JSONL input one by one, each read as one record; a line that cannot be read is a
 * value, too, so that the caller decides whether to go on.
 *
 * @throws SteerError `unreadable` when the bytes cannot be had
 */
export async function* jsonlLines({ chunks }: ByteSource): AsyncGenerator<JsonlLine> {
  for await (const batch of splitLines(chunks)) {
    for (const raw of batch) {
      const { line, offset, bytes } = raw;
      yield { line, offset, bytes, parsed: parseJsonLine(raw) };
    }
  }
}

/**
 * Reads a JSONL file, gzip or `-` for stdin, and hands each row that fits the schema to `visit`,
 * in order. The input is never held as a whole.
 *
 * @param visit may add faults of its own
 * @throws SteerError `invalid` listing all faults of the file at once, as `file:line: path: message`;
 *   `not_found` or `unreadable`
 */
export async function readJsonl<Row>(
  path: string,
  schema: z.ZodType<Row>,
  visit: (row: Row, place: Place, faults: FaultList) => void,
  { onProgress }: { readonly onProgress?: OnProgress | undefined } = {},
): Promise<JsonlSummary> {
  const source = await openBytes(path);
  const faults = new FaultList();
  try {
    const { name } = source;
    const summary = await readRows({ source, file: name, schema, visit, faults, onProgress });
    faults.throwIfAny("invalid");
    return summary;
  } finally {
    source.close();
  }
}

/** What {@link readRows} needs. */
export interface RowReading<Row> {
  readonly source: ByteSource;
  /** How faults name the source. */
  readonly file: string;
  readonly schema: z.ZodType<Row>;
  readonly visit: (row: Row, place: Place, faults: FaultList) => void;
  /** Takes every fault; nothing is thrown for them. */
  readonly faults: FaultList;
  /** Called with stored bytes, unless their number is unknown. */
  readonly onProgress?: OnProgress | undefined;
}

/** The part of {@link readJsonl} that several files of one set share. */
export async function readRows<Row>(reading: RowReading<Row>): Promise<JsonlSummary> {
  const { source, file, schema, visit, faults, onProgress } = reading;
  const summary = { rows: 0, blankLines: 0, replacedCharacters: 0 };
  let reported = 0;
  for await (const { line, offset, bytes, parsed } of jsonlLines(source)) {
    if (onProgress && source.storedBytes !== null && source.readBytes() !== reported) {
      reported = source.readBytes();
      onProgress(reported, source.storedBytes);
    }
    if (parsed.kind === "blank") summary.blankLines++;
    else if (parsed.kind === "fault") {
      const { column, message } = parsed;
      faults.add({ file, line, message, ...(column === undefined ? {} : { column }) });
    } else {
      const result = schema.safeParse(parsed.value);
      if (result.success) {
        summary.rows++;
        summary.replacedCharacters += parsed.replaced;
        visit(result.data, { file, line, offset, bytes }, faults);
      } else {
        for (const fault of explainIssues(result.error, parsed.value, schema)) {
          faults.add({ file, line, ...fault });
        }
      }
    }
  }
  return summary;
}
