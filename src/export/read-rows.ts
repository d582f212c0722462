import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { DataType, RecordBatchReader, Vector } from "apache-arrow";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import type { Encoding } from "./columnar.ts";

/** A row of an exported file, or why it cannot be read. */
export type ReadRow = { readonly value: unknown } | { readonly fault: string };

/**
 * Reads an exported file back without the code that wrote it, row by row. 64-bit integers come as
 * bigints from the columnar forms.
 *
 * @throws whatever the library throws on a broken columnar file
 */
export function readRows(path: string, encoding: Encoding): AsyncGenerator<ReadRow> {
  switch (encoding) {
    case "jsonl":
      return jsonlRows(path);
    case "parquet":
      return parquetRows(path);
    case "arrow":
      return arrowRows(path);
  }
}

/** Stricter than a reader of input would be: our own lines hold nothing that any reader minds. */
async function* jsonlRows(path: string): AsyncGenerator<ReadRow> {
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 1 << 20 })) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield jsonlRow(line);
  }
  if (rest !== "") yield { fault: "the last line has no line end" };
}

function jsonlRow(line: string): ReadRow {
  if (line.trim() === "") return { fault: "blank line" };
  if (/[\r\u0085\u2028\u2029]/.test(line)) return { fault: "holds a raw line separator" };
  if (line.startsWith("\ufeff")) return { fault: "begins with a byte-order mark" };
  try {
    return { value: JSON.parse(line) };
  } catch (error) {
    return { fault: `is not JSON: ${(error as Error).message}` };
  }
}

async function* parquetRows(path: string): AsyncGenerator<ReadRow> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    for (const value of await parquetReadObjects({ file, metadata, rowStart, rowEnd })) {
      yield { value };
    }
    rowStart = rowEnd;
  }
}

async function* arrowRows(path: string): AsyncGenerator<ReadRow> {
  const file = await open(path, "r");
  try {
    const reader = await RecordBatchReader.from(file);
    await reader.open();
    if (reader.schema.fields.some(({ type }) => DataType.isDictionary(type))) {
      yield { fault: "has a dictionary column" };
    }
    for await (const batch of reader) {
      for (const row of batch) yield { value: plain(row) };
    }
  } finally {
    await file.close();
  }
}

/** Lists and objects for what Arrow hands out as vectors and row views. */
function plain(value: unknown): unknown {
  if (value instanceof Vector) return Array.from(value, plain);
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { toJSON?: () => Readonly<Record<string, unknown>> };
  const object = toJSON ? toJSON.call(value) : (value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, plain(item)]));
}
