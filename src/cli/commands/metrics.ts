import type { Command } from "commander";
import { SteerError } from "../../core/errors.ts";
import type { Io } from "../io.ts";
import { jsonOption } from "../options.ts";
import { addSchemeOptions, resolveSchemes, type SchemeOptions } from "../schemes.ts";

interface MetricsOptions extends SchemeOptions {
  readonly temperatureFrom?: string;
  readonly json?: true;
}

export function addMetrics(program: Command, io: Io): void {
  const command = program
    .command("metrics")
    .description("every figure of one or several runs, recomputed from their stored answers")
    .argument("<run...>")
    .option(
      "--temperature-from <run>",
      "decision: calibrate by the temperature that fits this run of the train side",
    )
    .addOption(jsonOption());
  addSchemeOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  steerbench metrics quickstart/runs/words\n  steerbench metrics runs/test --temperature-from runs/train",
    )
    .action(async (paths: string[], options: MetricsOptions) => {
      const { runMetrics } = await import("../../result/metrics.ts");
      const { readRun } = await import("../../result/run-read.ts");
      const { fitRunTemperature } = await import("../../result/run-temperature.ts");
      const { renderHeadline, renderMetrics } = await import("../../result/render-metrics.ts");
      const { temperatureFrom } = options;
      if (temperatureFrom !== undefined && paths.length > 1) {
        throw new SteerError(
          "usage",
          "--temperature-from calibrates one run; give metrics one at a time",
        );
      }
      const schemes = await resolveSchemes(options);
      const train = temperatureFrom === undefined ? null : await readRun(temperatureFrom);
      const runs = [];
      for (const path of paths) {
        const run = await readRun(path);
        const metrics = runMetrics(run, schemes, train && fitRunTemperature(train, run));
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
