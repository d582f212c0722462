import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { byLabel, LABELS } from "../core/intervention.ts";
import { readError } from "../data/file-error.ts";
import { type AcrossCheck, acrossCheck, type ExportSource } from "./check-across.ts";
import { checkRows, type RowsReport } from "./check-rows.ts";
import { readManifest } from "./folder.ts";
import type { Format } from "./format-types.ts";
import { FORMATS } from "./formats.ts";
import type { DataFile, Manifest } from "./manifest.ts";
import { readRows } from "./read-rows.ts";

/** What a check found. */
export interface ExportCheck {
  readonly manifest: Manifest;
  /** Everything that is wrong, as `file: …`; empty when the export is sound. */
  readonly findings: readonly string[];
  /** What a service may refuse though nothing is wrong. */
  readonly notes: readonly string[];
  /** Rows read. */
  readonly rows: number;
}

/** Data files that a trainer would take up with those of the manifest. */
const DATA_FILE = /^(train|test|validation)\.(jsonl|parquet|arrow)$/;

/** The fewest rows that OpenAI takes. */
const OPENAI_MINIMUM = 10;

/**
 * Reads an export again, with other code than wrote it, and checks all of it: sizes, hashes and
 * counts against the manifest, every row against the format's schema and rules, ids and prompts
 * that stand twice.
 *
 * @param source with it, each prompt must also be that of a trace on the file's own side, so that
 *   no held-out prompt hides in a train file
 * @throws SteerError when the manifest cannot be read; `mismatch` when `source` is another set
 */
export async function checkExport(dir: string, source?: ExportSource): Promise<ExportCheck> {
  const manifest = await readManifest(dir);
  const findings = await unlistedFiles(dir, manifest);
  const formats = FORMATS[manifest.kind];
  const format = Object.hasOwn(formats, manifest.format) ? formats[manifest.format] : undefined;
  let rows = 0;
  if (!format) findings.push(`manifest.json: unknown format ${manifest.format}`);
  else {
    const across = acrossCheck(manifest, source);
    for (const file of manifest.files) {
      const found = await checkFile(dir, file, manifest, { format, across });
      findings.push(...found.findings.map((finding) => `${file.name}: ${finding}`));
      rows += found.rows;
    }
  }
  for (const file of manifest.configs) {
    const found = await bytesFindings(join(dir, file.name), file);
    findings.push(...found.map((finding) => `${file.name}: ${finding}`));
  }
  return { manifest, findings, notes: notesOf(manifest), rows };
}

async function checkFile(
  dir: string,
  file: DataFile,
  manifest: Manifest,
  { format, across }: { readonly format: Format; readonly across: AcrossCheck },
): Promise<{ readonly findings: string[]; readonly rows: number }> {
  const path = join(dir, file.name);
  const findings = await bytesFindings(path, file);
  try {
    const rows = readRows(path, manifest.as);
    const report = await checkRows(rows, format, (view) => across.visit(file.part, view));
    return {
      findings: [...findings, ...report.faults, ...countFindings(report, file)],
      rows: report.rows,
    };
  } catch (error) {
    // A broken columnar file ends in whatever the reader's library throws.
    return { findings: [...findings, `cannot be read: ${(error as Error).message}`], rows: 0 };
  }
}

function countFindings(report: RowsReport, file: DataFile): string[] {
  const findings: string[] = [];
  const expect = (what: string, found: number, listed: number) => {
    if (found !== listed) findings.push(`${what}: ${found}, but ${listed} in the manifest`);
  };
  expect("rows", report.rows, file.rows);
  const listed = byLabel((label) => {
    return Object.values(file.counts[label]).reduce((sum, count) => sum + count, 0);
  });
  const halves = file.pairs ? file.rows / file.pairs.pairs : 1;
  for (const label of LABELS) {
    expect(`gold ${label}`, report.labels[label] * halves, listed[label]);
  }
  if (report.siblingNeighbours !== null) {
    expect("neighbours of one family", report.siblingNeighbours, file.siblingNeighbours);
  }
  return findings;
}

async function bytesFindings(
  path: string,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): Promise<string[]> {
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    return [readError(path, error).message];
  }
  if (size !== bytes) return [`${size} bytes, but ${bytes} in the manifest`];
  return hash.digest("hex") === sha256 ? [] : ["sha256 differs from the manifest"];
}

async function unlistedFiles(dir: string, { files }: Manifest): Promise<string[]> {
  const listed = new Set(files.map(({ name }) => name));
  const names = (await readdir(dir)).filter((name) => DATA_FILE.test(name) && !listed.has(name));
  return names.sort().map((name) => `${name}: not in the manifest; trainers may load it as well`);
}

function notesOf({ format, files }: Manifest): string[] {
  if (format !== "openai") return [];
  return files
    .filter(({ rows }) => rows < OPENAI_MINIMUM)
    .map(({ name, rows }) => `${name}: ${rows} rows; OpenAI asks for ${OPENAI_MINIMUM} or more`);
}
