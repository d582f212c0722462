import { compareText, digest, sha256Hex } from "../../core/hash.ts";
import { RULES } from "../../task/parse/rules.ts";
import { SCORER_VERSION } from "../../task/score.ts";
import { formatTable, type Table } from "./format.ts";
import { letterVectors } from "./letter-vectors.ts";
import { parseVectors } from "./parse-vectors.ts";
import { promptVectors } from "./prompt-vectors.ts";
import {
  choiceVectors,
  groupVectors,
  outcomeVectors,
  rewardVectors,
  schemeTable,
} from "./reward-vectors.ts";
import { smokeVectors } from "./smoke-vectors.ts";

/** Text of each file, by path from the root of the repository, with `/` between its parts. */
export type VectorFiles = Readonly<Record<string, string>>;

/** The folders that hold nothing but vector files. */
export const VECTOR_FOLDERS = ["parity-vectors", "envs/steerbench/data"] as const;

/** What the Python package reads when it runs, copied into it so that an installed one has it. */
const RUNTIME_TABLES = ["rules.json", "schemes.json", "smoke.json", "manifest.json"];

/**
 * Every parity vector file: what the scorer says now, for any other implementation to repeat.
 * The same files from the same sources, on every machine and at any time.
 */
export function buildVectorFiles(): VectorFiles {
  const tables = buildTables();
  const files: Record<string, string> = {};
  for (const [name, text] of Object.entries(tables)) files[`${VECTOR_FOLDERS[0]}/${name}`] = text;
  for (const name of RUNTIME_TABLES) files[`${VECTOR_FOLDERS[1]}/${name}`] = tables[name] as string;
  return files;
}

/** The tables, and a manifest with one hash for all of them: over the name and hash of every file. */
function buildTables(): Record<string, string> {
  const tables = caseTables();
  const files = fileHashes(tables);
  const manifest = { scorerVersion: SCORER_VERSION, sha256: digest(files), files };
  return { ...tables, "manifest.json": formatTable({ version: 1, ...manifest }) };
}

function caseTables(): Record<string, string> {
  const tables: Record<string, Table> = {
    "rules.json": { version: 1, ...RULES },
    "schemes.json": schemeTable(),
    "parses.json": parseVectors(),
    "prompts.json": promptVectors(),
    "outcomes.json": outcomeVectors(),
    "rewards.json": rewardVectors(),
    "choices.json": choiceVectors(),
    "groups.json": groupVectors(),
    "letters.json": letterVectors(),
    "smoke.json": smokeVectors(),
  };
  return mapValues(tables, formatTable);
}

function fileHashes(tables: Readonly<Record<string, string>>): Record<string, string> {
  return mapValues(tables, sha256Hex);
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B) {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, map(value)]),
  ) as Record<string, B>;
}

/** A stored vector file that is not what the scorer says now. */
export interface StaleVector {
  readonly path: string;
  /** `foreign`: a file that no vectors are written to. */
  readonly problem: "missing" | "different" | "foreign";
}

/**
 * Compares stored vector files with what the scorer says now.
 *
 * @param stored every file found in {@link VECTOR_FOLDERS}, by path from the repository's root
 * @returns the faults in path order; none when all is well
 */
export function compareVectors(stored: VectorFiles, built = buildVectorFiles()): StaleVector[] {
  const paths = [...new Set([...Object.keys(built), ...Object.keys(stored)])].sort(compareText);
  return paths.flatMap((path): StaleVector[] => {
    if (stored[path] === undefined) return [{ path, problem: "missing" }];
    if (built[path] === undefined) return [{ path, problem: "foreign" }];
    return stored[path] === built[path] ? [] : [{ path, problem: "different" }];
  });
}
