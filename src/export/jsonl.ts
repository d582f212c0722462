import type { Field, FieldType, RecordSchema } from "./record-schema.ts";

/** Valid inside JSON strings, but line ends for some readers: one record would become two. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Characters in a piece: few enough that it dies young; pieces of a megabyte tripled the memory of a large export. */
const PIECE = 1 << 16;

/**
 * One JSON object a line, each line closed by LF, keys in the schema's order. Takes records that
 * `normalise` has passed.
 */
export function* jsonlPieces(
  schema: RecordSchema,
  records: Iterable<Readonly<Record<string, unknown>>>,
): Generator<string> {
  const lines: string[] = [];
  let length = 0;
  for (const record of records) {
    const line = `${escapeLineEnds(structText(schema, record))}\n`;
    lines.push(line);
    length += line.length;
    if (length < PIECE) continue;
    yield lines.join("");
    lines.length = 0;
    length = 0;
  }
  if (lines.length > 0) yield lines.join("");
}

function escapeLineEnds(text: string): string {
  return text.replace(LINE_ENDS, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function structText(fields: readonly Field[], value: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const { name, type } of fields) {
    text += `${text === "" ? "{" : ","}${JSON.stringify(name)}:${valueText(type, value[name])}`;
  }
  return `${text}}`;
}

function valueText(type: FieldType, value: unknown): string {
  if (value === null) return "null";
  switch (type.kind) {
    case "double": {
      const text = JSON.stringify(value);
      return /[.e]/.test(text) ? text : `${text}.0`;
    }
    case "list":
      return `[${(value as unknown[]).map((item) => valueText(type.of, item)).join(",")}]`;
    case "struct":
      return structText(type.fields, value as Record<string, unknown>);
    default:
      return JSON.stringify(value);
  }
}
