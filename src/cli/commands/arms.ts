import type { Command } from "commander";
import { SteerError } from "../../core/errors.ts";
import type { Experiment } from "../../experiment/experiment-file.ts";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { jsonOption } from "../options.ts";
import { storedVectors } from "../stored-vectors.ts";

interface ArmsOptions {
  readonly model?: string;
  readonly out?: string;
  readonly dryRun?: true;
  readonly stored?: true;
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
    .option("--stored", "compare the arms that are stored, and write nothing")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  steerbench arms experiments/smollm2-135m.json --dry-run\n  steerbench arms experiments/smollm2-135m.json -o runs/smollm2-135m\n  steerbench arms experiments/smollm2-135m.json -o results/smollm2-135m --stored",
    )
    .action(async (file: string, options: ArmsOptions) => {
      const { readExperiment } = await import("../../experiment/experiment-file.ts");
      if (options.dryRun && options.stored) {
        throw new SteerError("usage", "--dry-run looks ahead and --stored back; give one of them");
      }
      const out = options.out ?? "";
      if (out.trim() === "" && !options.dryRun) {
        throw new SteerError("usage", "arms needs -o DIR, or --dry-run; see arms --help");
      }
      const experiment = await readExperiment(file, options.model);
      if (options.dryRun) await plan(experiment, options, io);
      else if (options.stored) await showStored(experiment, out, options, io);
      else await run(experiment, out, options, io);
    });
}

async function plan(experiment: Experiment, { json }: ArmsOptions, io: Io): Promise<void> {
  const { planArms, renderPlan } = await import("../../experiment/plan-arms.ts");
  const split = await openSplit(experiment.split);
  const set = await openSet(experiment.set, io);
  try {
    const planned = await planArms(experiment, { set, split });
    await io.print(json ? `${JSON.stringify(planned)}\n` : renderPlan(planned));
  } finally {
    set.close();
  }
}

async function showStored(
  experiment: Experiment,
  out: string,
  { json }: ArmsOptions,
  io: Io,
): Promise<void> {
  const { findingsOf } = await import("../../experiment/findings.ts");
  const { renderFindings } = await import("../../experiment/render-findings.ts");
  const findings = await io.withProgress("comparing", (onProgress) =>
    findingsOf(experiment, out, onProgress),
  );
  const text = () => renderFindings(experiment, findings);
  await io.print(json ? `${JSON.stringify(findings)}\n` : text());
}

async function run(
  experiment: Experiment,
  out: string,
  { json }: ArmsOptions,
  io: Io,
): Promise<void> {
  const { armsOf } = await import("../../experiment/arms.ts");
  const { runArms } = await import("../../experiment/run-arms.ts");
  const { writeFindings } = await import("../../experiment/write-findings.ts");
  const split = await openSplit(experiment.split);
  const set = await openSet(experiment.set, io);
  try {
    const vectors = await storedVectors();
    await runArms(experiment, {
      ...{ set, split, out, vectors, signal: io.signal },
      note: (text) => io.note(text),
      follow(work, begin) {
        io.note(`${work}\n`);
        return io.withProgress(work, begin);
      },
    });
  } finally {
    set.close();
  }
  const { findings, text } = await io.withProgress("comparing", (onProgress) =>
    writeFindings(experiment, out, onProgress),
  );
  await io.print(json ? `${JSON.stringify(findings)}\n` : text);
  const folders = armsOf(experiment, out).map(({ folder }) => folder);
  io.note(`One page about them: steerbench report ${folders.join(" ")} -o report.html\n`);
}
