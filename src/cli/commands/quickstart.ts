import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import type { Command } from "commander";
import { SteerError } from "../../core/errors.ts";
import { type Io, packagedPath } from "../io.ts";

/** Tells a folder of an earlier quickstart, which may be replaced, from any other. */
const MARKER = ".steerbench-quickstart";

export function addQuickstart(program: Command, io: Io): void {
  program
    .command("quickstart")
    .description("the whole main job on the embedded demo set, offline: the commands, one by one")
    .option("-o, --out <dir>", "folder for the results", "quickstart")
    .addHelpText("after", "\nExample:\n  steerbench quickstart")
    .action(async ({ out }: { out: string }) => {
      await emptyFolder(out);
      for (const { why, args } of stepsIn(out)) {
        await io.print(`\n# ${why}\n$ steerbench ${args.map(quoted).join(" ")}\n`);
        await program.parseAsync([...args], { from: "user" });
      }
      if (!hasRuntime()) io.note("left out the ONNX model: onnxruntime-node is not installed\n");
      await io.print(
        `\nEverything is in ${out}/. Held out are 30 traces: far too few to rank models.\n`,
      );
    });
}

/** Whether the optional native library is there: its own install script fails without a network. */
function hasRuntime(): boolean {
  try {
    createRequire(import.meta.url).resolve("onnxruntime-node");
    return true;
  } catch {
    return false;
  }
}

async function emptyFolder(out: string): Promise<void> {
  if (existsSync(out) && !existsSync(join(out, MARKER))) {
    throw new SteerError(
      "usage",
      `${out}: exists and is not from an earlier quickstart; name another folder with -o`,
    );
  }
  const { writeFileAtomic } = await import("../../data/write-file.ts");
  if (existsSync(out)) await rm(out, { recursive: true, force: true });
  await writeFileAtomic(
    join(out, MARKER),
    "Written by steerbench quickstart, which may replace this folder.\n",
  );
}

interface Step {
  readonly why: string;
  readonly args: readonly string[];
}

function stepsIn(out: string): readonly Step[] {
  const set = shownPath("scenario-sets/demo");
  const split = shownPath("splits/demo.json");
  const on = [set, "--split", split];
  const tiny = `onnx:${shownPath("models/tiny")}`;
  const run = (name: string) => join(out, "runs", name);
  const evaluate = (model: string, readout: string, name: string) => {
    const args = ["eval", ...on, "--model", model, "--readout", readout, "-o", run(name)];
    return readout === "decision" ? [...args, "--rotations", "5"] : args;
  };
  const onTiny: readonly Step[] = [
    {
      why: "The embedded ONNX model, written answers. It learned their form: it demonstrates, it does not judge",
      args: [...evaluate(tiny, "generative", "tiny"), "--max-tokens", "48"],
    },
    {
      why: "The same tiny model, read from letter probabilities",
      args: evaluate(tiny, "decision", "tiny-letters"),
    },
  ];
  const floors = ["act", "uniform", "words", "words-letters"];
  const arms = hasRuntime() ? [...floors, "tiny", "tiny-letters"] : floors;
  return [
    { why: "Look for faults in the demo set", args: ["validate", set] },
    {
      why: "Confirm that the split is what it claims to be",
      args: ["split", "--verify", split, set],
    },
    { why: "Count what is in it", args: ["card", ...on] },
    {
      why: "Supervised fine-tuning records of the train side",
      args: ["export", "sft", ...on, "-o", join(out, "sft")],
    },
    {
      why: "Preference pairs: the right answer over a sibling's",
      args: ["export", "preferences", ...on, "--as", "parquet", "-o", join(out, "preferences")],
    },
    { why: "Floor: always ACT", args: evaluate("baseline:act", "generative", "act") },
    {
      why: "Floor: chance, twenty answers a trace",
      args: [...evaluate("baseline:uniform", "generative", "uniform"), "--samples", "20"],
    },
    {
      why: "Floor: a bag of words fitted on the train side, as written answers",
      args: evaluate("baseline:words", "generative", "words"),
    },
    {
      why: "The same bag of words, read from letter probabilities",
      args: evaluate("baseline:words", "decision", "words-letters"),
    },
    ...(hasRuntime() ? onTiny : []),
    {
      why: "What became of the answers",
      args: ["metrics", ...arms.map(run)],
    },
    {
      why: "Is a difference more than chance?",
      args: ["compare", run("act"), run("words"), run(arms.at(-1) ?? "uniform")],
    },
    {
      why: "One page with figures and every answer, to look at in a browser",
      args: ["report", ...arms.map(run), "--set", set, "-o", join(out, "report.html")],
    },
  ];
}

/** A path of the package, as short as a person would type it here. */
function shownPath(path: string): string {
  const absolute = packagedPath(path);
  const near = relative(process.cwd(), absolute);
  return near.startsWith("..") ? absolute : near;
}

function quoted(argument: string): string {
  return /^[\w./:@%+=-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
