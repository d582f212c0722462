import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, rmSync } from "node:fs";
import { type FileHandle, open, realpath, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SteerError } from "../core/errors.ts";
import { systemCode, systemReason } from "./file-error.ts";
import { makeFolder } from "./make-folder.ts";

/** Size and hash of what was written. */
export interface WrittenFile {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** What {@link writeFileAtomic} takes: whole, or in pieces that are made while it writes. */
export type FileData =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/** Pieces smaller than this are written together. */
const BLOCK = 1 << 18;

/**
 * Writes a file so that its name always holds either the old content or the whole new one: into a
 * temporary file beside it, then to the disk, then renamed. The folder is made when it is missing.
 * The temporary file is removed when anything fails, and when the process exits in between.
 *
 * @throws SteerError `unwritable`, naming the file and the cause; whatever `data` throws, as it is
 */
export async function writeFileAtomic(path: string, data: FileData): Promise<WrittenFile> {
  const target = await targetOf(path);
  const name = createTemporary(path, target);
  if (unfinished.size === 0) process.on("exit", removeUnfinished);
  unfinished.add(name);
  try {
    const written = await fill(path, name, data);
    await attempt(path, () => rename(name, target));
    return written;
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  } finally {
    unfinished.delete(name);
    if (unfinished.size === 0) process.off("exit", removeUnfinished);
  }
}

/** Temporary files of this process, for the case that it exits before they are renamed. */
const unfinished = new Set<string>();

function removeUnfinished(): void {
  for (const name of unfinished) rmSync(name, { force: true });
}

/** The file that a name stands for. A link is followed, since renaming onto it would replace it. */
async function targetOf(path: string): Promise<string> {
  await attempt(path, async () => makeFolder(dirname(path)));
  const entry = await attempt(path, () => statIfPresent(path));
  if (entry === null) return path;
  if (!entry.isFile()) {
    // Renaming onto a device such as /dev/null would remove it from the system.
    throw new SteerError("unwritable", `${path}: cannot be written: it is not a regular file`);
  }
  return attempt(path, () => realpath(path));
}

async function statIfPresent(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/**
 * Not `open` of `node:fs/promises`: a process that exits while a thread still creates the file would
 * leave it behind, since nobody knows its name yet.
 */
function createTemporary(path: string, target: string): string {
  for (let n = 0; ; n++) {
    const name = join(dirname(target), `.${basename(target)}.${process.pid}-${n}.tmp`);
    try {
      closeSync(openSync(name, "wx"));
      return name;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw writeError(path, error);
    }
  }
}

/** Writes a file that is there, to the disk. */
async function fill(path: string, name: string, data: FileData): Promise<WrittenFile> {
  const file = await attempt(path, () => open(name, "r+"));
  try {
    const written = await writeAll(path, file, data);
    await attempt(path, () => file.sync());
    await attempt(path, () => file.close());
    return written;
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}

async function writeAll(path: string, file: FileHandle, data: FileData): Promise<WrittenFile> {
  const isWhole = typeof data === "string" || data instanceof Uint8Array;
  const hash = createHash("sha256");
  let bytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const flush = async () => {
    await writeBlock(path, file, Buffer.concat(waiting), hash);
    waiting = [];
    waitingBytes = 0;
  };
  for await (const piece of isWhole ? [data] : data) {
    const block = Buffer.from(piece as Uint8Array);
    waiting.push(block);
    waitingBytes += block.length;
    bytes += block.length;
    if (waitingBytes >= BLOCK) await flush();
  }
  await flush();
  return { bytes, sha256: hash.digest("hex") };
}

/** One write may take only a part, for instance when the disk is nearly full. */
async function writeBlock(path: string, file: FileHandle, block: Buffer, hash: Hash) {
  hash.update(block);
  for (let done = 0; done < block.length; ) {
    const { bytesWritten } = await attempt(path, () => file.write(block, done));
    done += bytesWritten;
  }
}

async function attempt<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw writeError(path, error);
  }
}

function writeError(path: string, error: unknown): SteerError {
  const message = `${path}: cannot be written: ${systemReason(error)}`;
  return new SteerError("unwritable", message, { cause: error });
}
