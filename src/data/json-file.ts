import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { type Fault, SteerError } from "../core/errors.ts";
import { explainIssues, shorten } from "./explain.ts";
import { FaultList } from "./faults.ts";
import { readError } from "./file-error.ts";
import { scanJson } from "./json-scan.ts";
import { mayRepeatKeys } from "./repeated-keys.ts";

/**
 * Reads a JSON document of this project's own, all of which carry `version: 1`.
 *
 * @param kind what the file should be, for messages, such as `split file`
 * @throws SteerError `not_found`, `unreadable`, `foreign_version`, or `invalid` listing every fault
 */
export async function readJsonFile<T>(
  path: string,
  schema: z.ZodType<T>,
  kind: string,
): Promise<T> {
  const value = parse(path, await readText(path));
  const { version } = Object(value) as { version?: unknown };
  if (version !== undefined && version !== 1) {
    throw new SteerError(
      "foreign_version",
      `${path}: version: this program reads version 1 of a ${kind}, not ${shorten(version)}`,
    );
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = new FaultList();
  faults.add({ file: path, message: `is not a valid ${kind}` });
  for (const fault of explainIssues(result.error, value, schema))
    faults.add({ file: path, ...fault });
  return faults.raise("invalid");
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (!isUtf8(bytes))
      throw SteerError.fromFaults("invalid", [{ file: path, message: "is not UTF-8" }]);
    return bytes.toString("utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw readError(path, error);
  }
}

function parse(path: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (!mayRepeatKeys(text, value)) return value;
  } catch {
    // The scan below says where and why.
  }
  const fault = scanJson(text);
  if (fault === null) return value;
  throw SteerError.fromFaults("invalid", [
    { file: path, ...placeOf(text, fault.position), message: fault.message },
  ]);
}

function placeOf(text: string, position: number): Pick<Fault, "line" | "column"> {
  const before = text.slice(0, position).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
