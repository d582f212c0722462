/** A vector file's content; every one says its version. */
export type Table = Readonly<Record<string, unknown>> & { readonly version: 1 };

/**
 * A table as JSON text: one line per field, and one per element of a list of objects, so that a
 * changed case is a changed line. ASCII only, so that no editor, shell or diff alters a character.
 */
export function formatTable(table: Table): string {
  const fields = Object.entries(table).map(([key, value]) => `${compact(key)}: ${field(value)}`);
  return `{\n${fields.join(",\n")}\n}\n`;
}

function field(value: unknown): string {
  const isCaseList =
    Array.isArray(value) && typeof value[0] === "object" && !Array.isArray(value[0]);
  return isCaseList ? `[\n${value.map(compact).join(",\n")}\n]` : compact(value);
}

function compact(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\0-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
