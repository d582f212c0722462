import { type ErrorCode, SteerError } from "../core/errors.ts";

/** What a system code means, in the words of someone who has to repair it. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBUSY: "in use",
  EDQUOT: "disk quota used up",
  EFBIG: "file too large",
  EIO: "input/output error",
  EISDIR: "is a folder",
  EMFILE: "too many open files",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or folder",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "part of the path is not a folder",
  EPERM: "not permitted",
  EROFS: "read-only file system",
};

/** The system code of a failed file operation, such as `ENOENT`; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Why a file operation failed, such as `no space left on the disk (ENOSPC)`. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  return `${REASONS[code] ?? "failed"} (${code})`;
}

/** `error` as it is when it is ours, else `not_found` or `unreadable`, naming the file. */
export function readError(path: string, error: unknown): SteerError {
  if (error instanceof SteerError) return error;
  const code: ErrorCode = systemCode(error) === "ENOENT" ? "not_found" : "unreadable";
  return new SteerError(code, `${path}: cannot be read: ${systemReason(error)}`, { cause: error });
}
