import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { compareText } from "../core/hash.ts";
import { readError } from "./file-error.ts";
import { readJsonFile } from "./json-file.ts";

const line = z.string().refine((value) => value.trim() !== "", "must not be blank");

/** `set.json` of a scenario set's folder. */
export const setHeaderSchema = z.strictObject({
  /** Of the format, not of the set. */
  version: z.literal(1),
  name: line,
  /** The set's own version; it changes with its traces. */
  setVersion: line,
  /** Such as `CC-BY-4.0`. */
  licence: line,
  /** A string found nowhere else, so that crawlers can leave the set out. */
  canary: line,
  /** Seed of `scenario-sets/assemble.mjs`, from which the ids were made. */
  seed: line.optional(),
});

/** See {@link setHeaderSchema}. */
export type SetHeader = z.infer<typeof setHeaderSchema>;

/** A file of traces. */
export interface SetFile {
  readonly path: string;
  /** How heads name the file: relative to the set's folder. */
  readonly label: string;
  /** As stored; 0 when unknown. */
  readonly bytes: number;
}

/** The files of a scenario set, before any is read. */
export interface SetFiles {
  readonly name: string;
  readonly version: string;
  readonly licence: string | null;
  readonly canary: string | null;
  /** In code-unit order of their names. */
  readonly files: readonly SetFile[];
  readonly warnings: readonly string[];
}

const ROWS = /\.jsonl(?:\.gz)?$/;

/**
 * Finds the files of SET: a folder with `set.json` and `traces/`, one `.jsonl` or `.jsonl.gz`
 * file, or `-` for stdin.
 *
 * @throws SteerError `not_found`, `unreadable`, `usage` for a file of another kind, and what
 *   `set.json` gives rise to
 */
export async function findSetFiles(path: string): Promise<SetFiles> {
  if (path === "-") return loneFile({ path, label: "stdin", bytes: 0 });
  const stats = statOf(path);
  if (stats.isDirectory()) return findInFolder(path);
  const label = basename(path);
  // Pipes and devices have no name that could tell what they hold.
  if (ROWS.test(label) || !stats.isFile()) return loneFile({ path, label, bytes: stats.size });
  throw new SteerError(
    "usage",
    `${path}: a scenario set is a folder with set.json and traces/, a .jsonl or .jsonl.gz file, or -`,
  );
}

function loneFile(file: SetFile): SetFiles {
  return {
    name: file.label.replace(ROWS, ""),
    version: "unversioned",
    licence: null,
    canary: null,
    files: [file],
    warnings: [],
  };
}

async function findInFolder(folder: string): Promise<SetFiles> {
  const header = await readJsonFile(join(folder, "set.json"), setHeaderSchema, "set.json");
  const names = list(join(folder, "traces"));
  const rows = names.filter((name) => ROWS.test(name));
  if (rows.length === 0) {
    throw new SteerError("invalid", `${join(folder, "traces")}: holds no .jsonl or .jsonl.gz file`);
  }
  const { name, setVersion: version, licence, canary } = header;
  return {
    name,
    version,
    licence,
    canary,
    files: rows.map((row) => {
      const at = join(folder, "traces", row);
      return { path: at, label: `traces/${row}`, bytes: statOf(at).size };
    }),
    warnings: names
      .filter((each) => !ROWS.test(each) && !each.startsWith("."))
      .map((each) => `traces/${each} is not read: its name does not end with .jsonl or .jsonl.gz`),
  };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort(compareText);
  } catch (error) {
    throw readError(folder, error);
  }
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    throw readError(path, error);
  }
}
