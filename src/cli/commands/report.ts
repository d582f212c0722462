import { join } from "node:path";
import type { Command } from "commander";
import type { ReportRun } from "../../report/arms.ts";
import type { Io } from "../io.ts";
import { openSet } from "../open.ts";
import { requireOptions } from "../options.ts";
import { requireReportPaths } from "../report-paths.ts";

interface ReportCommandOptions {
  readonly out: string;
  readonly figures?: string;
  readonly set?: string;
  readonly allowMismatch?: true;
}

export function addReport(program: Command, io: Io): void {
  program
    .command("report")
    .description("one static page about runs: figures with intervals, and every answer")
    .argument("<run...>")
    .option("-o, --out <file>", "the page, such as report.html")
    .option("--figures <dir>", "write the figures as SVG files as well")
    .option("--set <set>", "the scenario set of the runs, to show situations and rationales")
    .option("--allow-mismatch", "report in spite of another set, prompt or situation")
    .addHelpText(
      "after",
      "\nExample:\n  steerbench report quickstart/runs/act quickstart/runs/words --set scenario-sets/demo -o report.html",
    )
    .action(async (paths: string[], options: ReportCommandOptions) => {
      requireOptions("report", options, { out: "-o <file>" });
      const { out, figures, set } = options;
      requireReportPaths({ runs: paths, set, out, figures });
      const { readRun } = await import("../../result/run-read.ts");
      const { readCurves } = await import("../../report/curves.ts");
      const { counted } = await import("../../report/counted.ts");
      const { makeReport } = await import("../../report/report.ts");
      const { writeFileAtomic } = await import("../../data/write-file.ts");
      const runs: ReportRun[] = [];
      for (const path of paths)
        runs.push({ run: await readRun(path), curves: await readCurves(path) });
      const texts = set === undefined ? undefined : await textsOf(set, runs, io);
      const { allowMismatch } = options;
      const report = await io.withProgress("comparing", (onProgress) =>
        makeReport(runs, { texts, allowMismatch, onProgress }),
      );
      const { bytes } = await writeFileAtomic(out, report.page);
      await io.print(`${out}: ${counted(runs.length, "run")}, ${Math.ceil(bytes / 1000)} kB\n`);
      if (figures === undefined) return;
      for (const { name, file } of report.drawings) {
        await writeFileAtomic(join(figures, `${name}.svg`), file);
      }
      await io.print(`${figures}: ${counted(report.drawings.length, "figure")}\n`);
    });
}

async function textsOf(path: string, runs: readonly ReportRun[], io: Io) {
  const { readTraceTexts } = await import("../../report/trace-texts.ts");
  const set = await openSet(path, io);
  try {
    return readTraceTexts(
      set,
      runs.map(({ run }) => run),
    );
  } finally {
    set.close();
  }
}
