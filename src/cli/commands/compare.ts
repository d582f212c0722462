import type { Command } from "commander";
import type { Io } from "../io.ts";
import { jsonOption, seedOption, wholeNumber } from "../options.ts";

interface CompareCommandOptions {
  readonly resamples: number;
  readonly seed: string;
  readonly allowMismatch?: true;
  readonly json?: true;
}

export function addCompare(program: Command, io: Io): void {
  program
    .command("compare")
    .description("paired differences between runs, by bootstrap over traces and over families")
    .argument("<run...>", "two or more runs over the same traces")
    .option("--resamples <n>", "bootstrap resamples", wholeNumber(100, 1_000_000), 10_000)
    .addOption(seedOption())
    .option("--allow-mismatch", "compare in spite of another set, prompt or situation")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  steerbench compare quickstart/runs/act quickstart/runs/words",
    )
    .action(async (paths: string[], options: CompareCommandOptions) => {
      const { compareRuns } = await import("../../result/compare.ts");
      const { readRun } = await import("../../result/run-read.ts");
      const { renderComparison } = await import("../../result/render-compare.ts");
      const runs = [];
      for (const path of paths) runs.push(await readRun(path));
      const { json, allowMismatch = false, resamples, seed } = options;
      const comparison = compareRuns(runs, { allowMismatch, resamples, seed });
      await io.print(json ? `${JSON.stringify(comparison)}\n` : renderComparison(comparison));
    });
}
