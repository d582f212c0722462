import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { SteerError } from "../core/errors.ts";
import { systemReason } from "../data/file-error.ts";
import { makeFolder } from "../data/make-folder.ts";
import { writeFileAtomic } from "../data/write-file.ts";
import { headerText, requireSameRun } from "./run-header.ts";
import { lockRun } from "./run-lock.ts";
import {
  ANSWERS_FILE,
  HEADER_FILE,
  isRunRow,
  PACKED_ANSWERS_FILE,
  readHeader,
  readRun,
} from "./run-read.ts";
import { keyText, type RowKey, type RunRow, rowLine } from "./run-row.ts";
import type { RunHeader } from "./run-schema.ts";
import { type Repair, repairEnd } from "./torn-row.ts";

/** A run folder opened for writing, by this process alone. */
export interface RunWriter {
  /** Whether the answer of a key is stored already. Failures are not answers. */
  isFinished(key: RowKey): boolean;
  /** What an interruption had left at the end of the answers, and what was done about it. */
  readonly repair: Repair | null;
  /**
   * Appends rows, each with its line end in one write, and then forces them to the disk. A killed
   * process loses no row that was written; a power cut loses at most the rows of one call.
   *
   * @throws SteerError `unwritable`; the file then ends with the last whole row
   */
  append(rows: readonly RunRow[]): void;
  /** Closes the file and lets other writers in. */
  close(): void;
}

/**
 * Starts a run in a folder, or goes on with the one that is there.
 *
 * @param resume go on where a run stands; without one, start it
 * @throws SteerError `usage` for a name that no folder can have, `state` for a run that exists without `resume` or is being written,
 *   `mismatch` naming each field in which the stored header differs, `invalid` for broken rows,
 *   `unwritable`
 */
export async function openRun(
  folder: string,
  header: RunHeader,
  { resume }: { readonly resume: boolean },
): Promise<RunWriter> {
  attempt(folder, () => refuseFile(folder));
  attempt(folder, () => makeFolder(folder));
  const release = attempt(folder, () => lockRun(folder));
  try {
    const answers = join(folder, ANSWERS_FILE);
    await settleHeader(folder, header, resume);
    const repair = existsSync(answers)
      ? attempt(answers, () => repairEnd(answers, isRunRow))
      : null;
    const stored = await readRun(folder);
    const finished = new Set(stored.answers.map(keyText));
    const { append, close } = openForAppend(answers);
    return {
      isFinished: (key) => finished.has(keyText(key)),
      repair,
      append,
      close() {
        close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

function refuseFile(folder: string): void {
  if (folder.trim() === "") {
    throw new SteerError("usage", "the folder of the run has an empty name: name one after -o");
  }
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false) return;
  throw new SteerError("usage", `${folder}: is a file; a run is a folder, name another one`);
}

async function settleHeader(folder: string, header: RunHeader, resume: boolean): Promise<void> {
  const path = join(folder, HEADER_FILE);
  if (existsSync(path)) {
    if (!resume) {
      throw new SteerError(
        "state",
        `${folder}: a run is stored here already. Add --resume to finish it, or name another folder.`,
      );
    }
    const packed = join(folder, PACKED_ANSWERS_FILE);
    if (existsSync(packed) && !existsSync(join(folder, ANSWERS_FILE))) {
      const message = `${packed}: the answers of this run are packed`;
      throw new SteerError("state", `${message}. Unpack them with gunzip to go on with it.`);
    }
    const stored = await readHeader(folder);
    const settled = requireSameRun(path, stored, header);
    if (settled !== stored) await writeFileAtomic(path, headerText(settled));
    return;
  }
  if (existsSync(join(folder, ANSWERS_FILE))) {
    throw new SteerError(
      "invalid",
      `${folder}: holds ${ANSWERS_FILE} but no ${HEADER_FILE}, so nothing says what the answers are to. Name another folder.`,
    );
  }
  await writeFileAtomic(path, headerText(header));
}

function openForAppend(path: string): Pick<RunWriter, "append" | "close"> {
  const file = attempt(path, () => openSync(path, "a"));
  let size = fstatSync(file).size;
  return {
    append(rows) {
      const lines = rows.map((row) => Buffer.from(`${rowLine(row)}\n`));
      try {
        for (const line of lines) {
          writeWhole(file, line);
          size += line.length;
        }
        fdatasyncSync(file);
      } catch (error) {
        dropHalfRow(file, size);
        throw unwritable(path, error);
      }
    },
    close: () => closeSync(file),
  };
}

/** One write is the rule; the loop is for a disk that takes a part. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** A full disk may have taken half a row. Where even this fails, the next resume repairs the end. */
function dropHalfRow(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
  } catch {
    return;
  }
}

function attempt<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof SteerError ? error : unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): SteerError {
  const message = `${path}: cannot be written: ${systemReason(cause)}`;
  return new SteerError("unwritable", message, { cause });
}
