import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readError } from "../../data/file-error.ts";

/**
 * sha256 of files below a folder, by their names.
 *
 * @throws SteerError `not_found` or `unreadable`
 */
export async function hashFiles(
  folder: string,
  files: readonly string[],
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const file of files) {
    const path = join(folder, file);
    const hash = createHash("sha256");
    try {
      await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
    } catch (error) {
      throw readError(path, error);
    }
    hashes[file] = hash.digest("hex");
  }
  return hashes;
}
