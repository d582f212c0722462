import { type Command, Option } from "commander";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { jsonOption, wholeNumber } from "../options.ts";

interface AuditCommandOptions {
  readonly split?: string;
  readonly agreement?: true;
  readonly permutations?: number;
  readonly json?: true;
}

export function addAudit(program: Command, io: Io): void {
  program
    .command("audit")
    .description(
      "look for shortcuts in a set: balance, telling words, repeated phrases, duplicates",
    )
    .argument("<set>")
    .option("--split <file>", "also look for lineage across the sides of this split")
    .option("--agreement", "also compare the blind labels in the set's review folder with gold")
    .addOption(
      new Option(
        "--permutations <n>",
        "permute labels within families so often, for a p-value of naive Bayes",
      ).argParser(wholeNumber(1)),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  steerbench audit scenario-sets/demo --split splits/demo.json --agreement",
    )
    .action(async (path: string, options: AuditCommandOptions) => {
      const { auditSet } = await import("../../data/audit/audit.ts");
      const { renderAudit } = await import("../../data/audit/render.ts");
      const { readReviews } = await import("../../data/audit/review.ts");
      const set = await openSet(path, io);
      try {
        const split = options.split === undefined ? undefined : await openSplit(options.split);
        const known = new Set(set.heads.map(({ id }) => id));
        const reviews = options.agreement ? await readReviews(path, known) : undefined;
        const { permutations } = options;
        const audit = await io.withProgress("auditing", (onProgress) =>
          auditSet(set, { split, reviews, permutations, onProgress }),
        );
        await io.print(options.json ? `${JSON.stringify(audit)}\n` : renderAudit(audit));
        if (audit.checks.some(({ passed }) => !passed)) io.setExitCode(1);
      } finally {
        set.close();
      }
    });
}
