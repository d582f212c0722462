import type { FieldType, RecordSchema } from "./record-schema.ts";

/** Some rows as one list of values for each field of the schema; whole numbers are bigints. */
export interface ColumnBatch {
  readonly rows: number;
  readonly columns: readonly (readonly unknown[])[];
}

/** Groups records by `size` and turns each group into columns. */
export function* columnBatches(
  schema: RecordSchema,
  records: Iterable<Readonly<Record<string, unknown>>>,
  size: number,
): Generator<ColumnBatch> {
  const convert = schema.map(({ type }) => (holdsInt(type) ? widen : keep));
  let columns: unknown[][] = schema.map(() => []);
  let rows = 0;
  for (const record of records) {
    for (const [k, { name, type }] of schema.entries()) {
      columns[k]?.push(convert[k]?.(type, record[name]));
    }
    if (++rows < size) continue;
    yield { rows, columns };
    columns = schema.map(() => []);
    rows = 0;
  }
  if (rows > 0) yield { rows, columns };
}

function holdsInt(type: FieldType): boolean {
  if (type.kind === "list") return holdsInt(type.of);
  if (type.kind === "struct") return type.fields.some((field) => holdsInt(field.type));
  return type.kind === "int";
}

function keep(_type: FieldType, value: unknown): unknown {
  return value;
}

/** Both libraries take 64-bit integers as bigints only, within lists and structs too. */
function widen(type: FieldType, value: unknown): unknown {
  if (value === null) return null;
  switch (type.kind) {
    case "int":
      return BigInt(value as number);
    case "list":
      return (value as unknown[]).map((item) => widen(type.of, item));
    case "struct": {
      const object = value as Readonly<Record<string, unknown>>;
      return Object.fromEntries(
        type.fields.map((field) => [field.name, widen(field.type, object[field.name])]),
      );
    }
    default:
      return value;
  }
}
