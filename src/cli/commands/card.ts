import type { Command } from "commander";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { jsonOption } from "../options.ts";

export function addCard(program: Command, io: Io): void {
  program
    .command("card")
    .description("data card of a set: counts, lengths, scopes, and what is missing")
    .argument("<set>")
    .option("--split <file>", "count each side of this split as well")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  steerbench card scenario-sets/demo --split splits/demo.json",
    )
    .action(async (path: string, options: { split?: string; json?: true }) => {
      const { makeCard } = await import("../../data/card.ts");
      const { renderCard } = await import("../../data/render-card.ts");
      const { requireVerified } = await import("../../data/verify.ts");
      const set = await openSet(path, io);
      try {
        const split = options.split === undefined ? undefined : await openSplit(options.split);
        if (split) await requireVerified(set, split, { file: options.split });
        const card = await io.withProgress("counting", (onProgress) =>
          makeCard(set, split, onProgress),
        );
        await io.print(options.json ? `${JSON.stringify(card)}\n` : renderCard(card));
      } finally {
        set.close();
      }
    });
}
