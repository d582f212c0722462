import type { Command } from "commander";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { jsonOption } from "../options.ts";

export function addAudit(program: Command, io: Io): void {
  program
    .command("audit")
    .description("look for shortcuts in a set: balance of labels, lengths and scopes, duplicates")
    .argument("<set>")
    .option("--split <file>", "also look for lineage across the sides of this split")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  steerbench audit scenario-sets/demo --split splits/demo.json",
    )
    .action(async (path: string, options: { split?: string; json?: true }) => {
      const { auditSet, renderAudit } = await import("../../data/audit.ts");
      const set = await openSet(path, io);
      try {
        const split = options.split === undefined ? undefined : await openSplit(options.split);
        const checks = await io.withProgress("auditing", (onProgress) =>
          auditSet(set, { ...(split && { split }), onProgress }),
        );
        await io.print(options.json ? `${JSON.stringify(checks)}\n` : renderAudit(checks));
        if (checks.some(({ passed }) => !passed)) io.setExitCode(1);
      } finally {
        set.close();
      }
    });
}
