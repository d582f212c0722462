import type { Command } from "commander";
import type { Io } from "../io.ts";
import { jsonOption } from "../options.ts";

export function addRescore(program: Command, io: Io): void {
  program
    .command("rescore")
    .description("read a run's stored answers again and compare with the stored parses")
    .argument("<run>")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  steerbench rescore quickstart/runs/words")
    .action(async (path: string, { json }: { json?: true }) => {
      const { readRun } = await import("../../result/run-read.ts");
      const { rescore } = await import("../../result/rescore.ts");
      const result = rescore(await readRun(path));
      const { answers, differences } = result;
      if (json) await io.print(`${JSON.stringify(result)}\n`);
      else {
        for (const { id, sample, parse, stored, now } of differences) {
          const [before, after] = [stored, now].map((read) => JSON.stringify(read));
          await io.print(`${id} sample ${sample}, ${parse}: stored ${before}, now ${after}\n`);
        }
        await io.print(`${answers} answers read again, ${differences.length} parses differ\n`);
      }
      if (differences.length > 0) io.setExitCode(1);
    });
}
