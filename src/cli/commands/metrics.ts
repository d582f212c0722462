import type { Command } from "commander";
import type { Io } from "../io.ts";
import { jsonOption } from "../options.ts";
import { addSchemeOptions, resolveSchemes, type SchemeOptions } from "../schemes.ts";

export function addMetrics(program: Command, io: Io): void {
  const command = program
    .command("metrics")
    .description("every figure of one or several runs, recomputed from their stored answers")
    .argument("<run...>")
    .addOption(jsonOption());
  addSchemeOptions(command)
    .addHelpText("after", "\nExample:\n  steerbench metrics quickstart/runs/words")
    .action(async (paths: string[], options: SchemeOptions & { json?: true }) => {
      const { runMetrics } = await import("../../result/metrics.ts");
      const { readRun } = await import("../../result/run-read.ts");
      const { renderHeadline, renderMetrics } = await import("../../result/render-metrics.ts");
      const schemes = await resolveSchemes(options);
      const runs = [];
      for (const path of paths) {
        const run = await readRun(path);
        const metrics = runMetrics(run, schemes);
        runs.push({ name: path, model: run.header.model.spec, metrics });
      }
      if (options.json) await io.print(`${JSON.stringify(runs)}\n`);
      else if (runs.length === 1) await io.print(renderMetrics(runs));
      else
        await io.print(
          `${renderHeadline(runs)}\nEvery figure of one run: steerbench metrics RUN\n`,
        );
    });
}
