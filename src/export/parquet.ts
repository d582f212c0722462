import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ColumnBatch } from "./column-batch.ts";
import type { Field, FieldType, RecordSchema } from "./record-schema.ts";

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

/**
 * A Parquet file with an explicit schema, one row group for each batch. Lists use the three-level
 * layout that all readers know; there is no metadata that only one library understands.
 */
export function* parquetPieces(
  schema: RecordSchema,
  batches: Iterable<ColumnBatch>,
): Generator<Uint8Array> {
  const sink = new ByteWriter();
  const writer = new ParquetWriter({
    writer: sink,
    schema: [{ name: "root", num_children: schema.length }, ...schema.flatMap(elementsOf)],
    createdBy: "steerbench",
  });
  for (const { rows, columns } of batches) {
    const columnData = schema.map(({ name }, k) => ({ name, data: [...(columns[k] ?? [])] }));
    writer.write({ columnData, rowGroupSize: rows });
    yield take(sink);
  }
  writer.finish();
  yield take(sink);
}

/** The bytes written so far; the writer keeps its own count of the file's position. */
function take(sink: ByteWriter): Uint8Array {
  const bytes = sink.getBytes().slice();
  sink.index = 0;
  return bytes;
}

function elementsOf({ name, type, nullable }: Field): SchemaElement[] {
  return typeElements(name, type, nullable ? "OPTIONAL" : "REQUIRED");
}

function typeElements(
  name: string,
  type: FieldType,
  repetition_type: "OPTIONAL" | "REQUIRED",
): SchemaElement[] {
  switch (type.kind) {
    case "string":
      return [{ name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type }];
    case "bool":
      return [{ name, type: "BOOLEAN", repetition_type }];
    case "int":
      return [{ name, type: "INT64", repetition_type }];
    case "double":
      return [{ name, type: "DOUBLE", repetition_type }];
    case "list":
      return [
        { name, converted_type: "LIST", num_children: 1, repetition_type },
        { name: "list", num_children: 1, repetition_type: "REPEATED" },
        ...typeElements("element", type.of, "REQUIRED"),
      ];
    case "struct":
      return [
        { name, num_children: type.fields.length, repetition_type },
        ...type.fields.flatMap(elementsOf),
      ];
  }
}
