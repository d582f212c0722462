import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ErrorCode, type Fault, SteerError } from "../../core/errors.ts";

/** Collects what is wrong with the files of one folder, so that all of it is said at once. */
export interface FolderFaults {
  add(code: ErrorCode, file: string, message: string, path?: string): void;
  /** What `read` gives; null, with its faults noted, when it throws a SteerError. */
  collect<T>(read: () => T): T | null;
  /**
   * The values that were read, null for none of them once no fault was noted.
   *
   * @throws SteerError with every fault noted so far, under the code of the first one
   */
  settle<T extends object>(read: T): { [Key in keyof T]: NonNullable<T[Key]> };
}

/** An empty list for a folder; the faults name its files with the folder's path in front. */
export function faultsOf(folder: string): FolderFaults {
  const faults: Fault[] = [];
  let first: ErrorCode | undefined;
  return {
    add(code, file, message, path) {
      first ??= code;
      faults.push({ file: join(folder, file), message, ...(path === undefined ? {} : { path }) });
    },
    collect(read) {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof SteerError)) throw error;
        first ??= error.code;
        faults.push(...(error.faults.length > 0 ? error.faults : [onlyFault(error)]));
        return null;
      }
    },
    settle<T extends object>(read: T) {
      if (first !== undefined) throw SteerError.fromFaults(first, faults);
      return read as { [Key in keyof T]: NonNullable<T[Key]> };
    },
  };
}

/** A message of one fault begins with the path of its file. */
function onlyFault({ message }: SteerError): Fault {
  const [file = "", ...rest] = message.split(": ");
  return { file, message: rest.join(": ") };
}

const POINTER = "version https://git-lfs";

/**
 * The size of a file of the folder that can be the real thing; null, with a fault noted, when it
 * is missing, empty, no file, or the text that stands in for a file kept in git-lfs.
 */
export function checkFile(
  folder: string,
  file: string,
  faults: FolderFaults,
  whenMissing: string,
): number | null {
  const path = join(folder, file);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) faults.add("not_found", file, `is missing; ${whenMissing}`);
  else if (!stats.isFile()) faults.add("unreadable", file, "is no file");
  else if (stats.size === 0) faults.add("unreadable", file, "is empty; download it again");
  else if (isPointer(path)) {
    const fix = "run `git lfs pull` in its folder or download the file itself";
    faults.add("unreadable", file, `is a git-lfs pointer of ${stats.size} bytes; ${fix}`);
  } else return stats.size;
  return null;
}

/** The JSON object in a file; null, with a fault noted, when there is none. */
export function readJsonFile(
  folder: string,
  file: string,
  faults: FolderFaults,
  whenMissing: string,
): Record<string, unknown> | null {
  if (checkFile(folder, file, faults, whenMissing) === null) return null;
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    faults.add("invalid", file, "must hold one JSON object");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    faults.add("unreadable", file, `is no JSON or cut short (${reason}); download it again`);
  }
  return null;
}

function isPointer(path: string): boolean {
  const file = openSync(path, "r");
  const head = Buffer.alloc(POINTER.length);
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  return head.toString("latin1") === POINTER;
}
