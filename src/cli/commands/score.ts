import type { Command } from "commander";
import type { GoldTrace } from "../../result/score-file.ts";
import type { Io } from "../io.ts";
import { openSet } from "../open.ts";
import { jsonOption } from "../options.ts";
import { addSchemeOptions, resolveSchemes, type SchemeOptions } from "../schemes.ts";

interface ScoreOptions extends SchemeOptions {
  readonly set?: string;
  readonly summary?: true;
}

export function addScore(program: Command, io: Io): void {
  const command = program
    .command("score")
    .description("read raw answers {id, answer, gold?, finish?, letters?, prompt?} and score each")
    .argument("<file>", "JSONL, or - for stdin")
    .option("--set <set>", "take gold labels from this scenario set")
    .option("--summary", "also print metrics, to standard error")
    .addOption(jsonOption("rows are JSON with it and without it"));
  addSchemeOptions(command)
    .addHelpText("after", "\nExample:\n  steerbench score answers.jsonl --set scenario-sets/demo")
    .action((file: string, options: ScoreOptions) => score(file, options, io));
}

async function score(file: string, options: ScoreOptions, io: Io): Promise<void> {
  const { scoreFile } = await import("../../result/score-file.ts");
  const schemes = await resolveSchemes(options);
  const traceOf = options.set === undefined ? undefined : await goldOf(options.set, io);
  const { rows, answers } = await io.withProgress(`scoring ${file}`, (onProgress) =>
    scoreFile(file, { traceOf, schemes, onProgress }),
  );
  for (const row of rows) await io.print(`${JSON.stringify(row)}\n`);
  if (!options.summary) return;
  const { measure } = await import("../../result/metrics.ts");
  const { renderDetails } = await import("../../result/render-metrics.ts");
  io.note(
    `${answers.length} answers with a gold label\n${renderDetails(measure(answers, schemes))}`,
  );
}

async function goldOf(path: string, io: Io): Promise<(id: string) => GoldTrace | undefined> {
  const set = await openSet(path, io);
  const positions = new Map(set.heads.map(({ id }, position) => [id, position]));
  return (id) => {
    const position = positions.get(id);
    return position === undefined ? undefined : set.readTrace(position);
  };
}
