import type { Command } from "commander";
import { formatFault, SteerError } from "../../core/errors.ts";
import type { Io } from "../io.ts";
import { openSet } from "../open.ts";
import { jsonOption } from "../options.ts";

export function addValidate(program: Command, io: Io): void {
  program
    .command("validate")
    .description("list all faults of scenario sets: folders, .jsonl files, or - for stdin")
    .argument("<set...>")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  steerbench validate scenario-sets/demo")
    .action(async (paths: string[], { json }: { json?: true }) => {
      const reports = [];
      for (const path of paths) reports.push(await validate(path, io));
      if (json) await io.print(`${JSON.stringify(reports)}\n`);
      else for (const report of reports) await io.print(renderReport(report));
      if (reports.some(({ faults }) => faults.length > 0)) io.setExitCode(1);
    });
}

interface Report {
  readonly set: string;
  readonly traces: number;
  readonly families: number;
  readonly blankLines: number;
  readonly digest: string | null;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** A faulty set is this command's result, so that the next set is looked at as well. */
async function validate(path: string, io: Io): Promise<Report> {
  try {
    const set = await openSet(path, io);
    set.close();
    const { heads, blankLines, digest, warnings } = set;
    const families = new Set(heads.map(({ family }) => family)).size;
    return {
      ...{ set: path, traces: heads.length, families, blankLines, digest },
      ...{ faults: [], warnings },
    };
  } catch (error) {
    if (!(error instanceof SteerError)) throw error;
    const faults = error.faults.length > 0 ? error.faults.map(formatFault) : [error.message];
    return {
      ...{ set: path, traces: 0, families: 0, blankLines: 0, digest: null },
      ...{ faults, warnings: [] },
    };
  }
}

function renderReport({ set, traces, families, blankLines, digest, faults, warnings }: Report) {
  if (faults.length > 0) return `${faults.join("\n")}\n`;
  const blank = blankLines > 0 ? `, ${blankLines} blank lines skipped` : "";
  const warned = warnings.length > 0 ? `, ${warnings.length} warnings` : "";
  return `${set}: ${traces} traces in ${families} families${blank}${warned}, digest ${digest}\n`;
}
