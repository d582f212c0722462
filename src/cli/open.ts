import type { ScenarioSet, Split } from "../data/types.ts";
import type { Io } from "./io.ts";

/** Loads a scenario set with a progress bar and tells its warnings. The caller closes it. */
export async function openSet(path: string, io: Io): Promise<ScenarioSet> {
  const { loadScenarioSet } = await import("../data/scenario-set.ts");
  const set = await io.withProgress(`reading ${path}`, (onProgress) =>
    loadScenarioSet(path, { onProgress }),
  );
  for (const warning of set.warnings) io.note(`warning: ${warning}\n`);
  return set;
}

/** Reads a split file. Whoever takes rows by it verifies it against its set first. */
export async function openSplit(path: string): Promise<Split> {
  const { readSplit } = await import("../data/split-file.ts");
  return readSplit(path);
}
