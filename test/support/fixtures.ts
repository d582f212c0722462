import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Absolute path of something below the repository's root. */
export function repositoryPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The text of a file below `test/fixtures`. */
export function readFixture(path: string): string {
  return readFileSync(repositoryPath(`test/fixtures/${path}`), "utf8");
}

/** The rows of a JSONL file below `test/fixtures`. */
export function readRows<Row>(path: string): Row[] {
  const lines = readFixture(path).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

/** The source files below a folder of the repository, as paths relative to its root. */
export function listFiles(folder: string, ending: string): string[] {
  return readdirSync(repositoryPath(folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(ending))
    .sort();
}
