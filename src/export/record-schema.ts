import { SteerError } from "../core/errors.ts";

/** The type of a value in a record, the same in JSONL, Parquet and Arrow. */
export type FieldType =
  | { readonly kind: "string" | "bool" }
  /** Whole numbers that a double holds exactly; 64 bits wide in the columnar files. */
  | { readonly kind: "int" }
  /** Finite numbers; always written with a point or an exponent in JSONL, so that no reader takes a column of whole numbers for integers. */
  | { readonly kind: "double" }
  | { readonly kind: "list"; readonly of: FieldType }
  | { readonly kind: "struct"; readonly fields: readonly Field[] };

/** One key of a record. Its place in the list is its place in the file. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Absent and null are both written as null; without this both are refused. */
  readonly nullable?: true;
}

/** Every key of every row of a file: the one description behind all writers and the check. */
export type RecordSchema = readonly Field[];

/** A row, before it is checked against a schema. */
export type ExportRecord = Readonly<Record<string, unknown>>;

export const STRING = { kind: "string" } as const;
export const BOOL = { kind: "bool" } as const;
export const INT = { kind: "int" } as const;
export const DOUBLE = { kind: "double" } as const;

/** A list of values of one type; its elements are never null. */
export function listOf(of: FieldType): FieldType {
  return { kind: "list", of };
}

/** An object with fixed keys, in the order given. */
export function struct(fields: Readonly<Record<string, FieldType>>): FieldType {
  return { kind: "struct", fields: fieldsOf(fields) };
}

/** Required fields, in the order given. */
export function fieldsOf(fields: Readonly<Record<string, FieldType>>): Field[] {
  return Object.entries(fields).map(([name, type]) => ({ name, type }));
}

/** A list of chat turns. */
export const MESSAGES = listOf(struct({ role: STRING, content: STRING }));

/** Counts what normalising changed. */
export interface NormaliseCounts {
  /** Halves of a surrogate pair that became U+FFFD. */
  replacedCharacters: number;
}

/**
 * A copy of a record that any writer can take: exactly the schema's keys in the schema's order,
 * absent values as null, halves of surrogate pairs replaced by U+FFFD and counted.
 *
 * @throws SteerError `invalid` naming the path: null or absent where a value is required, another
 *   type, a number that is not finite or not whole, a key the schema does not know
 */
export function normalise(
  schema: RecordSchema,
  record: ExportRecord,
  counts: NormaliseCounts,
): Record<string, unknown> {
  return normaliseStruct(schema, record, "", counts);
}

function normaliseStruct(
  fields: readonly Field[],
  value: ExportRecord,
  path: string,
  counts: NormaliseCounts,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { name, type, nullable } of fields) {
    const item = value[name];
    if (item !== null && item !== undefined) {
      result[name] = normaliseValue(type, item, path === "" ? name : `${path}.${name}`, counts);
    } else if (nullable) result[name] = null;
    else refuse(path === "" ? name : `${path}.${name}`, "a value is required", item);
  }
  for (const name of Object.keys(value)) {
    if (!(name in result)) refuse(path === "" ? name : `${path}.${name}`, "unknown key", name);
  }
  return result;
}

function normaliseValue(
  type: FieldType,
  value: unknown,
  path: string,
  counts: NormaliseCounts,
): unknown {
  switch (type.kind) {
    case "string":
      if (typeof value !== "string") return refuse(path, "must be a string", value);
      return value.isWellFormed() ? value : replaceHalves(value, counts);
    case "bool":
      return typeof value === "boolean" ? value : refuse(path, "must be true or false", value);
    case "int":
      return Number.isSafeInteger(value) ? value : refuse(path, "must be a whole number", value);
    case "double":
      return Number.isFinite(value) ? value : refuse(path, "must be a finite number", value);
    case "list":
      if (!Array.isArray(value)) return refuse(path, "must be a list", value);
      return value.map((item, i) => normaliseValue(type.of, item, `${path}[${i}]`, counts));
    case "struct":
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return refuse(path, "must be an object", value);
      }
      return normaliseStruct(type.fields, value as ExportRecord, path, counts);
  }
}

function replaceHalves(value: string, counts: NormaliseCounts): string {
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) counts.replacedCharacters++;
  }
  return value.toWellFormed();
}

function refuse(path: string, message: string, value: unknown): never {
  const shown = typeof value === "object" && value !== null ? "an object or list" : String(value);
  throw new SteerError("invalid", `record: ${path}: ${message}, not ${shown.slice(0, 80)}`);
}
