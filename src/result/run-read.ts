import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { explainIssues } from "../data/explain.ts";
import type { FaultList } from "../data/faults.ts";
import { readJsonFile } from "../data/json-file.ts";
import { HALF_LINE } from "../data/json-line.ts";
import { type Place, readJsonl } from "../data/jsonl.ts";
import { situationsDigest } from "./run-header.ts";
import {
  type AnswerRow,
  type ErrorRow,
  fromStored,
  isErrorRow,
  keyText,
  type RunRow,
  type StoredRow,
} from "./run-row.ts";
import { rowFault } from "./run-row-check.ts";
import { type RunHeader, type RunTrace, runHeaderSchema, schemaOfRow } from "./run-schema.ts";

/** The two files of a run folder. A run that is kept for reading may have its answers packed. */
export const HEADER_FILE = "run.json";
export const ANSWERS_FILE = "answers.jsonl";
export const PACKED_ANSWERS_FILE = "answers.jsonl.gz";

/** A stored run: its header and, per answer asked for, what came of it. */
export interface Run {
  /** The folder. */
  readonly path: string;
  readonly header: RunHeader;
  readonly traces: ReadonlyMap<string, RunTrace>;
  /** In the order of the header's traces, then by sample. */
  readonly answers: readonly AnswerRow[];
  /** The last failure of every key that has no answer, in the same order. */
  readonly errors: readonly ErrorRow[];
  /** Keys with neither an answer nor a failure: not asked yet. */
  readonly pending: number;
}

/**
 * Reads a run and checks every row against the header. A failure is superseded by a later row of
 * its key.
 *
 * @throws SteerError `not_found`, `unreadable`, `foreign_version`; `invalid` listing all faults of
 *   a file, a half last line and two answers of one key among them
 */
export async function readRun(folder: string): Promise<Run> {
  const header = await readHeader(folder);
  const traces = new Map(header.traces.map((trace) => [trace.id, trace]));
  const rows = await readRows(answersOf(folder), header, traces);
  const all = header.traces.flatMap(({ id }) =>
    Array.from({ length: header.samples }, (_, sample) => rows.get(keyText({ id, sample }))?.row),
  );
  const stored = all.filter((row) => row !== undefined);
  return {
    path: folder,
    header,
    traces,
    answers: stored.filter((row): row is AnswerRow => !isErrorRow(row)),
    errors: stored.filter(isErrorRow),
    pending: all.length - stored.length,
  };
}

function answersOf(folder: string): string {
  const [plain, packed] = [join(folder, ANSWERS_FILE), join(folder, PACKED_ANSWERS_FILE)];
  return !existsSync(plain) && existsSync(packed) ? packed : plain;
}

/**
 * Reads `run.json`.
 *
 * @throws SteerError `not_found`, `unreadable`, `foreign_version`, or `invalid` listing all faults
 */
export async function readHeader(folder: string): Promise<RunHeader> {
  const file = join(folder, HEADER_FILE);
  if (existsSync(folder) && !existsSync(file)) {
    const message = `${file}: no such file, so ${folder} is not a run`;
    throw new SteerError("not_found", message);
  }
  const header = await readJsonFile(file, runHeaderSchema, "run header");
  requireWholeTraces(file, header);
  return header;
}

/** Whether a line, without its end, is one whole row. */
export function isRunRow(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return schemaOfRow(value).safeParse(value).success;
  } catch {
    return false;
  }
}

/** The trace list decides every score, so a changed one must show. */
function requireWholeTraces(file: string, { traces, situations }: RunHeader): void {
  const seen = new Set<string>();
  const faults = traces.flatMap(({ id }, at) => {
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated ? [{ file, path: `traces[${at}].id`, message: `${id} is listed twice` }] : [];
  });
  if (situationsDigest(traces) !== situations) {
    const message = "is not the digest of the traces: the file was changed by hand";
    faults.push({ file, path: "situations", message });
  }
  if (faults.length > 0) throw SteerError.fromFaults("invalid", faults);
}

interface PlacedRow {
  readonly row: RunRow;
  readonly line: number;
}

/** The row that counts of each key. */
async function readRows(
  file: string,
  header: RunHeader,
  traces: ReadonlyMap<string, RunTrace>,
): Promise<Map<string, PlacedRow>> {
  const rows = new Map<string, PlacedRow>();
  // A run that was killed before its first row has no such file yet.
  if (!existsSync(file)) return rows;
  const visit = (value: unknown, { line }: Place, faults: FaultList) => {
    const schema = schemaOfRow(value);
    const result = schema.safeParse(value);
    if (!result.success) {
      for (const fault of explainIssues(result.error, value, schema)) {
        faults.add({ file, line, ...fault });
      }
      return;
    }
    const row = fromStored(result.data as StoredRow);
    const fault = rowFault(row, header, traces);
    if (fault) faults.add({ file, line, ...fault });
    else keep(rows, { row, line }, (message) => faults.add({ file, line, path: "id", message }));
  };
  await readJsonl(file, z.unknown(), visit).catch((error: unknown) => {
    throw isTorn(error) ? withRepair(error) : error;
  });
  return rows;
}

/** Whether a writer that was stopped left the last line half written. */
function isTorn(error: unknown): error is SteerError {
  return (
    error instanceof SteerError && error.faults.some(({ message }) => message.startsWith(HALF_LINE))
  );
}

function withRepair({ code, message, faults }: SteerError): SteerError {
  const fix = "The run was stopped while it wrote: eval --resume with its options repairs the end.";
  return new SteerError(code, `${message}\n${fix}`, { faults });
}

function keep(
  rows: Map<string, PlacedRow>,
  placed: PlacedRow,
  onFault: (message: string) => void,
): void {
  const key = keyText(placed.row);
  const before = rows.get(key);
  if (before && !isErrorRow(before.row)) {
    const { id, sample } = placed.row;
    onFault(
      `sample ${sample} of ${JSON.stringify(id)} was answered on line ${before.line} already`,
    );
  } else rows.set(key, placed);
}
