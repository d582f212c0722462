import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { repositoryPath } from "./fixtures.ts";

const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

/** What a source file imports, statically or not; relative paths as paths from the repository's root. */
export function importsOf(file: string): string[] {
  const text = readFileSync(repositoryPath(file), "utf8");
  return [...text.matchAll(IMPORT)].map(([, target = ""]) =>
    target.startsWith(".") ? posix.join(posix.dirname(file), target) : target,
  );
}

/** The groups of files that import each other, each as a chain that ends where it began. */
export function findCycles(files: readonly string[]): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, chain: readonly string[]): void => {
    const at = chain.indexOf(file);
    if (at >= 0) cycles.push([...chain.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    for (const target of importsOf(file)) {
      if (target.startsWith("src/")) visit(target, [...chain, file]);
    }
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return cycles;
}
