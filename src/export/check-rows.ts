import { SteerError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { byLabel, type Label } from "../core/intervention.ts";
import type { Message } from "../task/prompt.ts";
import type { Format, RecordView } from "./format-types.ts";
import type { ReadRow } from "./read-rows.ts";
import {
  type ExportRecord,
  type FieldType,
  normalise,
  type RecordSchema,
} from "./record-schema.ts";

/** What a file's rows came to. */
export interface RowsReport {
  readonly rows: number;
  /** `row N: …`, rows counting from 1; for JSONL that is the line. */
  readonly faults: readonly string[];
  /** Rows by the label of their gold answer; rows that hold another answer are in none. */
  readonly labels: Readonly<Record<Label, number>>;
  /** Rows whose neighbour is of the same family; null where rows carry no family. */
  readonly siblingNeighbours: number | null;
}

/** Faults that are listed of one file; the rest are counted. */
const LISTED = 20;

/**
 * Checks every row of a file against the format's schema and rules.
 *
 * @param visit may find more wrong with a row
 */
export async function checkRows(
  rows: AsyncIterable<ReadRow>,
  format: Format,
  visit: (view: RecordView) => readonly string[],
): Promise<RowsReport> {
  const faults: string[] = [];
  const labels = byLabel(() => 0);
  let count = 0;
  let faulty = 0;
  let siblingNeighbours = 0;
  let family: string | undefined;
  for await (const row of rows) {
    count++;
    const { found, view } = checkRow(row, format);
    if (view?.label) labels[view.label]++;
    if (view?.familyId !== undefined && view.familyId === family) siblingNeighbours++;
    family = view?.familyId;
    const all = view ? [...found, ...visit(view)] : found;
    for (const fault of all) {
      if (++faulty <= LISTED) faults.push(`row ${count}: ${fault}`);
    }
  }
  if (faulty > LISTED) faults.push(`… and ${faulty - LISTED} more faults in rows`);
  const hasFamilies = family !== undefined;
  return { rows: count, faults, labels, siblingNeighbours: hasFamilies ? siblingNeighbours : null };
}

/** A key of a prompt that is equal for equal prompts only. */
export function promptKey(prompt: readonly Message[]): string {
  return sha256Hex(JSON.stringify(prompt.map(({ role, content }) => [role, content]))).slice(0, 24);
}

function checkRow(
  row: ReadRow,
  format: Format,
): { readonly found: string[]; readonly view: RecordView | null } {
  if ("fault" in row) return { found: [row.fault], view: null };
  try {
    const record = checkTypes(format.schema, row.value);
    return { found: format.faults(record), view: format.read(record) };
  } catch (error) {
    if (error instanceof SteerError) return { found: [error.message], view: null };
    throw error;
  }
}

/** The record, when it is exactly what the writers may write: types, keys and their order. */
function checkTypes(schema: RecordSchema, value: unknown): ExportRecord {
  const counts = { replacedCharacters: 0 };
  const narrow = narrowInts({ kind: "struct", fields: schema }, value);
  if (typeof narrow !== "object" || narrow === null) throw invalid("is not an object");
  const record = normalise(schema, narrow as ExportRecord, counts);
  if (counts.replacedCharacters > 0) throw invalid("holds half of a surrogate pair");
  if (JSON.stringify(record) !== JSON.stringify(narrow)) throw invalid("keys are not in order");
  return record;
}

function invalid(message: string): SteerError {
  return new SteerError("invalid", message);
}

/** Numbers for the bigints of columnar files, only where the schema has whole numbers. */
function narrowInts(type: FieldType, value: unknown): unknown {
  if (type.kind === "int") return typeof value === "bigint" ? Number(value) : value;
  if (type.kind === "list" && Array.isArray(value)) {
    return value.map((item) => narrowInts(type.of, item));
  }
  if (type.kind !== "struct" || typeof value !== "object" || value === null) return value;
  const types = new Map(type.fields.map((field) => [field.name, field.type]));
  const entries = Object.entries(value).map(([key, item]) => {
    const inner = types.get(key);
    return [key, inner ? narrowInts(inner, item) : item];
  });
  return Object.fromEntries(entries);
}
