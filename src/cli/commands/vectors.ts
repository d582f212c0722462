import { readdir, readFile } from "node:fs/promises";
import type { Command } from "commander";
import { SteerError } from "../../core/errors.ts";
import { type Io, packagedPath } from "../io.ts";

export function addVectors(program: Command, io: Io): void {
  program
    .command("vectors")
    .description("write the parity vectors that every port of the scorer must pass")
    .option("--check", "only compare the stored files with what the scorer says now")
    .addHelpText("after", "\nExample:\n  steerbench vectors --check")
    .action(async ({ check }: { check?: true }) => {
      if (check) await checkVectors(io);
      else await writeVectors(io);
    });
}

async function writeVectors(io: Io): Promise<void> {
  const { buildVectorFiles } = await import("../../env/vectors/vectors.ts");
  const { writeFileAtomic } = await import("../../data/write-file.ts");
  const files = Object.entries(buildVectorFiles());
  for (const [path, text] of files) await writeFileAtomic(packagedPath(path), text);
  await io.print(`${files.length} vector files written\n`);
}

async function checkVectors(io: Io): Promise<void> {
  const { compareVectors, VECTOR_FOLDERS } = await import("../../env/vectors/vectors.ts");
  const stored: Record<string, string> = {};
  for (const folder of VECTOR_FOLDERS) {
    for (const name of await readdir(packagedPath(folder)).catch(() => [])) {
      const path = `${folder}/${name}`;
      stored[path] = await readFile(packagedPath(path), "utf8");
    }
  }
  const stale = compareVectors(stored);
  if (stale.length > 0) {
    const list = stale.map(({ path, problem }) => `${path}: ${problem}`).join("\n");
    throw new SteerError("mismatch", `${list}\nRun steerbench vectors to write them anew.`);
  }
  await io.print("every vector file holds what the scorer says\n");
}
