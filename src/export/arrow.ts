import {
  Field as ArrowField,
  AsyncByteQueue,
  Bool,
  type Data,
  type DataType,
  Float64,
  Int64,
  List,
  makeBuilder,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import type { ColumnBatch } from "./column-batch.ts";
import type { Field, FieldType, RecordSchema } from "./record-schema.ts";

/**
 * An Arrow IPC file (not the stream form, which file readers refuse), one record batch for each
 * batch. All texts are plain Utf8 columns: inferred dictionaries would carry a process-wide
 * counter as id, and their replacement is not allowed in the file format.
 */
export function* arrowPieces(
  schema: RecordSchema,
  batches: Iterable<ColumnBatch>,
): Generator<Uint8Array> {
  const sink = new PieceSink();
  const writer = new RecordBatchFileWriter();
  const fields = schema.map(arrowField);
  const arrowSchema = new Schema(fields);
  writer.reset(sink, arrowSchema);
  for (const { rows, columns } of batches) {
    const children = fields.map(({ type }, k) => columnData(type, columns[k] ?? []));
    const type = new Struct(fields);
    const data = makeData({ type, length: rows, nullCount: 0, children });
    writer.write(new RecordBatch(arrowSchema, data));
    yield* sink.take();
  }
  writer.finish();
  yield* sink.take();
}

/** Collects what the writer emits, to be taken piece by piece. */
class PieceSink extends AsyncByteQueue<Uint8Array> {
  #pieces: Uint8Array[] = [];

  override write(value: Uint8Array): void {
    this.#pieces.push(value);
  }

  take(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

function arrowField({ name, type, nullable }: Field): ArrowField {
  return new ArrowField(name, arrowType(type), nullable ?? false);
}

function arrowType(type: FieldType): DataType {
  switch (type.kind) {
    case "string":
      return new Utf8();
    case "bool":
      return new Bool();
    case "int":
      return new Int64();
    case "double":
      return new Float64();
    case "list":
      return new List(new ArrowField("element", arrowType(type.of), false));
    case "struct":
      return new Struct(type.fields.map(arrowField));
  }
}

function columnData(type: DataType, values: readonly unknown[]): Data {
  const builder = makeBuilder({ type, nullValues: [null] });
  for (const value of values) builder.append(value);
  return builder.finish().flush();
}
