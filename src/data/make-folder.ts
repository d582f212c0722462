import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./file-error.ts";

/**
 * Makes a folder and those above it that are missing. Not `mkdir` with `recursive`: where the
 * system answers "no such file" to every attempt, as under `/proc`, Node's own tries for ever.
 *
 * @throws the system's error
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it in between.
    if (systemCode(error) !== "EEXIST" || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
