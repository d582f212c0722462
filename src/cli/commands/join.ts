import type { Command } from "commander";
import type { Io } from "../io.ts";
import { jsonOption, requireOptions } from "../options.ts";

export function addJoin(program: Command, io: Io): void {
  program
    .command("join")
    .description("shards of one arm into one run")
    .argument("<run...>", "every shard of the arm, in any order")
    .option("-o, --out <run>", "folder of the joined run")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  steerbench join shard-1 shard-2 -o arm")
    .action(async (paths: string[], options: { out: string; json?: true }) => {
      requireOptions("join", options, { out: "-o RUN" });
      const { out, json } = options;
      const { joinRuns } = await import("../../result/join-runs.ts");
      const { answers, errors, pending } = await joinRuns(paths, out);
      const counts = { answers: answers.length, errors: errors.length, pending };
      await io.print(
        json
          ? `${JSON.stringify({ run: out, ...counts })}\n`
          : `${out}: ${counts.answers} answers, ${counts.errors} errors, ${pending} pending\n`,
      );
    });
}
