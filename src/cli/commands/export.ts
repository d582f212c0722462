import type { Command } from "commander";
import { SteerError } from "../../core/errors.ts";
import type { Part } from "../../data/types.ts";
import type { Encoding } from "../../export/columnar.ts";
import type { ExportKind } from "../../export/format-types.ts";
import type { PairReport } from "../../export/manifest.ts";
import type { SystemMode } from "../../export/messages.ts";
import type { NegativeKind } from "../../export/negatives.ts";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { collect, jsonOption, oneOf, seedOption, wholeNumber } from "../options.ts";
import { addSchemeOptions, resolveSchemes, type SchemeOptions } from "../schemes.ts";

type WordTest = NonNullable<PairReport["wordTest"]>;

interface ExportOptions extends SchemeOptions {
  readonly split?: string;
  readonly out?: string;
  readonly part: Part;
  readonly allowTest?: true;
  readonly format?: string;
  readonly as: Encoding;
  readonly validation: number;
  readonly system: SystemMode;
  readonly negatives?: readonly NegativeKind[];
  readonly from?: readonly string[];
  readonly seed: string;
  readonly list?: true;
  readonly check?: string;
  readonly json?: true;
}

export function addExport(program: Command, io: Io): void {
  const command = program
    .command("export")
    .description("training records of one side of a verified split, with a manifest")
    .argument("[kind]", "sft, preferences, decisions or rl; none with --list and --check")
    .argument("[set]")
    .option("--split <file>", "verified split of the set")
    .option("-o, --out <dir>", "folder of the export")
    .option("--part <side>", "train; test needs --allow-test", oneOf(["train", "test"]), "train")
    .option("--allow-test", "export held-out rows; the manifest will say so")
    .option("--format <name>", "see --list; default: the kind's first")
    .option(
      "--as <encoding>",
      "jsonl, parquet or arrow",
      oneOf(["jsonl", "parquet", "arrow"]),
      "jsonl",
    )
    .option("--validation <n>", "keep back n train traces, by whole families", wholeNumber(0), 0)
    .option(
      "--system <mode>",
      "turn, or merged for models without a system turn",
      oneOf(["turn", "merged"]),
      "turn",
    )
    .option(
      "--negatives <kinds>",
      "preferences: balanced, or premature, over_hold, confusion, malformed, cut_off; comma between",
      (text) => text.split(","),
    )
    .option("--from <run>", "preferences: mine pairs from this run; may be repeated", collect)
    .addOption(seedOption())
    .option("--list", "list every kind and format")
    .option(
      "--check <dir>",
      "read an export again and validate all of it; with SET --split, its sides",
    )
    .addOption(jsonOption());
  addSchemeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  steerbench export sft scenario-sets/demo --split splits/demo.json -o out/sft",
    )
    .action(async (first: string | undefined, second: string | undefined, options) => {
      if (options.list) await listFormats(options, io);
      else if (options.check !== undefined) await check(options.check, first, options, io);
      else await runExport(first as ExportKind | undefined, second, options, io);
    });
}

async function listFormats({ json }: ExportOptions, io: Io): Promise<void> {
  const { listFormats: list } = await import("../../export/formats.ts");
  if (json) return io.print(`${JSON.stringify(list())}\n`);
  for (const { kind, name, isDefault, summary, keys } of list()) {
    const title = `${kind} --format ${name}${isDefault ? " (default)" : ""}`;
    await io.print(`${title}\n  ${summary}\n  ${keys.join(", ")}\n`);
  }
}

async function runExport(
  kind: ExportKind | undefined,
  path: string | undefined,
  options: ExportOptions,
  io: Io,
): Promise<void> {
  const { split: splitPath, out } = options;
  if (kind === undefined || path === undefined || splitPath === undefined || out === undefined) {
    throw new SteerError("usage", "export needs KIND SET --split FILE -o DIR; see export --help");
  }
  const { runExport: write } = await import("../../export/export.ts");
  const set = await openSet(path, io);
  try {
    const split = await openSplit(splitPath);
    const { json: _, split: __, out: ___, from, scheme, price, allowDominated, ...rest } = options;
    const priced = { ...options, scheme: scheme ?? ["asymmetric"] };
    const [margin, ...others] = scheme || price ? await resolveSchemes(priced) : [];
    if (others.length > 0) throw new SteerError("usage", "--scheme: margins come from one scheme");
    const runs = from && (await readRuns(from));
    const request = {
      ...rest,
      set,
      split,
      splitFile: splitPath,
      kind,
      outDir: out,
      from: runs,
      scheme: margin,
    };
    const manifest = await io.withProgress(`exporting ${kind}`, (onProgress) =>
      write({ ...request, signal: io.signal, onProgress }),
    );
    if (options.json) return await io.print(`${JSON.stringify(manifest)}\n`);
    for (const { name, rows, sha256, pairs } of manifest.files) {
      await io.print(`${out}/${name}: ${rows} rows, sha256 ${sha256}\n`);
      if (pairs?.wordTest) await io.print(`  ${wordTestText(pairs.wordTest)}\n`);
    }
    await io.print(`${out}/manifest.json\n`);
  } finally {
    set.close();
  }
}

function wordTestText({ right, answers, accuracy }: WordTest): string {
  const share = (100 * accuracy).toFixed(1);
  return `words of the completions alone tell chosen from rejected in ${share}% (${right} of ${answers}; chance is 50%)`;
}

async function readRuns(paths: readonly string[]) {
  const { readRun } = await import("../../result/run-read.ts");
  const runs = [];
  for (const path of paths) runs.push(await readRun(path));
  return runs;
}

async function check(
  dir: string,
  setPath: string | undefined,
  options: ExportOptions,
  io: Io,
): Promise<void> {
  const { checkExport } = await import("../../export/check.ts");
  if ((setPath === undefined) !== (options.split === undefined)) {
    throw new SteerError(
      "usage",
      "--check takes SET and --split together: the sides to compare with",
    );
  }
  const set = setPath === undefined ? null : await openSet(setPath, io);
  try {
    const source = set && { set, split: await openSplit(options.split ?? "") };
    if (source) {
      const { requireVerified } = await import("../../data/verify.ts");
      await requireVerified(source.set, source.split, { file: options.split });
    }
    const { findings, notes, rows } = await checkExport(dir, source ?? undefined);
    if (options.json) await io.print(`${JSON.stringify({ dir, rows, findings, notes })}\n`);
    else {
      for (const finding of findings) await io.print(`${dir}/${finding}\n`);
      for (const note of notes) io.note(`note: ${note}\n`);
      await io.print(`${dir}: ${rows} rows read again, ${findings.length} findings\n`);
    }
    if (findings.length > 0) io.setExitCode(1);
  } finally {
    set?.close();
  }
}
