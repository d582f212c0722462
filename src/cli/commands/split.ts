import { type Command, InvalidArgumentError } from "commander";
import { formatFault, SteerError } from "../../core/errors.ts";
import type { Split } from "../../data/types.ts";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { jsonOption, oneOf, seedOption } from "../options.ts";

interface SplitOptions {
  readonly test?: number;
  readonly by: "family" | "trace";
  readonly seed: string;
  readonly extend?: string;
  readonly near: boolean;
  readonly out?: string;
  readonly verify?: string;
  readonly json?: true;
}

export function addSplit(program: Command, io: Io): void {
  program
    .command("split")
    .description("divide a set into train and test by whole families, or verify such a split")
    .argument("<set>")
    .option("--test <n|share>", "test rows: a count from 1, or a share below 1", readSize)
    .option("--by <unit>", "family, or trace as the seed did", oneOf(["family", "trace"]), "family")
    .addOption(seedOption())
    .option("--extend <file>", "an older split whose rows stay where they are")
    .option("--no-near", "do not keep near-duplicates on one side")
    .option("-o, --out <file>", "the split file to write")
    .option("--verify <file>", "derive this split's claims from the set again")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  steerbench split scenario-sets/demo --test 30 -o demo.json\n  steerbench split --verify demo.json scenario-sets/demo",
    )
    .action(async (path: string, options: SplitOptions) => {
      if (options.verify === undefined) await make(path, options, io);
      else await verify(path, options.verify, options, io);
    });
}

async function make(path: string, options: SplitOptions, io: Io): Promise<void> {
  const { test, out, by, seed, near } = options;
  if (test === undefined || out === undefined) {
    throw new SteerError("usage", "split needs --test and -o; see split --help");
  }
  const { makeSplit } = await import("../../data/split.ts");
  const { writeSplit } = await import("../../data/split-file.ts");
  const extend = options.extend === undefined ? undefined : await openSplit(options.extend);
  const set = await openSet(path, io);
  try {
    const { split, warnings } = await io.withProgress("splitting", (onProgress) =>
      makeSplit(set, { test, by, seed, near, extend, onProgress }),
    );
    await writeSplit(out, split);
    for (const warning of warnings) io.note(`warning: ${warning}\n`);
    const { counts, policy } = split;
    await io.print(
      options.json
        ? `${JSON.stringify({ split: out, policy, counts, warnings })}\n`
        : `${out}: ${sizeText(split)}\n`,
    );
  } finally {
    set.close();
  }
}

async function verify(path: string, file: string, { json }: SplitOptions, io: Io): Promise<void> {
  const { verifySplit } = await import("../../data/verify.ts");
  const split = await openSplit(file);
  const set = await openSet(path, io);
  try {
    const findings = await io.withProgress("verifying", (onProgress) =>
      verifySplit(set, split, { file, onProgress }),
    );
    if (json) await io.print(`${JSON.stringify({ split: file, findings })}\n`);
    else {
      for (const finding of findings) await io.print(`${formatFault(finding)}\n`);
      if (findings.length === 0) await io.print(`${file}: fits ${path}; ${sizeText(split)}\n`);
    }
    if (findings.length > 0) io.setExitCode(1);
  } finally {
    set.close();
  }
}

function sizeText({ counts: { train, test } }: Split): string {
  const side = ({ traces, families }: typeof train) => `${traces} traces (${families} families)`;
  return `train ${side(train)}, test ${side(test)}`;
}

function readSize(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError("it must be a count from 1, or a share between 0 and 1.");
  }
  return value;
}
