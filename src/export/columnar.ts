import { arrowPieces } from "./arrow.ts";
import { columnBatches } from "./column-batch.ts";
import { jsonlPieces } from "./jsonl.ts";
import { parquetPieces } from "./parquet.ts";
import type { RecordSchema } from "./record-schema.ts";

/** The file forms of an export. */
export const ENCODINGS = ["jsonl", "parquet", "arrow"] as const;

/** See {@link ENCODINGS}; each is also the file's ending. */
export type Encoding = (typeof ENCODINGS)[number];

/** Rows in one Parquet row group or Arrow record batch: some 30 MB of prompts. */
const BATCH_ROWS = 8192;

/** Encodes records that `normalise` has passed, holding no more than one batch in memory. */
export function encode(
  encoding: Encoding,
  schema: RecordSchema,
  records: Iterable<Readonly<Record<string, unknown>>>,
  batchRows: number = BATCH_ROWS,
): Iterable<string | Uint8Array> {
  switch (encoding) {
    case "jsonl":
      return jsonlPieces(schema, records);
    case "parquet":
      return parquetPieces(schema, columnBatches(schema, records, batchRows));
    case "arrow":
      return arrowPieces(schema, columnBatches(schema, records, batchRows));
  }
}
