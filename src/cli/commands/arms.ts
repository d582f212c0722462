import { join } from "node:path";
import type { Command } from "commander";
import { SteerError } from "../../core/errors.ts";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { jsonOption } from "../options.ts";
import { storedVectors } from "../stored-vectors.ts";

interface ArmsOptions {
  readonly model?: string;
  readonly out?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export function addArms(program: Command, io: Io): void {
  program
    .command("arms")
    .description("a whole comparison from one file: train, evaluate and compare what is missing")
    .argument("<file>", "experiment that names model, seeds and arms")
    .option("-o, --out <dir>", "folder of all arms; what is there already is gone on with")
    .option("--model <dir>", "model folder in place of the one that the file names")
    .option("--dry-run", "check set, split, model and every arm, and write nothing")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  steerbench arms experiments/smollm2-135m.json --dry-run\n  steerbench arms experiments/smollm2-135m.json -o runs/smollm2-135m",
    )
    .action((file: string, options: ArmsOptions) => runArmsCommand(file, options, io));
}

async function runArmsCommand(file: string, options: ArmsOptions, io: Io): Promise<void> {
  const { out, dryRun = false, json = false } = options;
  if (out === undefined && !dryRun) {
    throw new SteerError("usage", "arms needs -o DIR, or --dry-run; see arms --help");
  }
  const { readExperiment } = await import("../../experiment/experiment-file.ts");
  const experiment = await readExperiment(file, options.model);
  const split = await openSplit(experiment.split);
  const set = await openSet(experiment.set, io);
  try {
    if (out === undefined || dryRun) {
      const { planArms, renderPlan } = await import("../../experiment/dry-run.ts");
      const planned = await planArms(experiment, { set, split });
      await io.print(json ? `${JSON.stringify(planned)}\n` : renderPlan(planned));
      return;
    }
    const { runArms } = await import("../../experiment/run-arms.ts");
    await runArms(experiment, {
      set,
      split,
      out,
      vectors: await storedVectors(),
      signal: io.signal,
      follow(work, run) {
        io.note(`${work}\n`);
        return io.withProgress(work, run);
      },
    });
    const { writeFindings } = await import("../../experiment/write-findings.ts");
    const { findings, text } = await io.withProgress("comparing", (onProgress) =>
      writeFindings(experiment, out, onProgress),
    );
    await io.print(json ? `${JSON.stringify(findings)}\n` : text);
    io.note(`One page about them: steerbench report ${join(out, "*")} …\n`);
  } finally {
    set.close();
  }
}
