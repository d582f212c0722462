import { type Command, InvalidArgumentError } from "commander";
import { SteerError } from "../../core/errors.ts";
import type { Part } from "../../data/types.ts";
import type { ReadoutOptions } from "../../eval/options.ts";
import type { Model } from "../../model/model.ts";
import type { Readout } from "../../task/prompt.ts";
import { endpointKey, type Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import {
  jsonOption,
  numberWithin,
  oneOf,
  requireOptions,
  seedOption,
  wholeNumber,
} from "../options.ts";
import { storedVectors } from "../stored-vectors.ts";

interface EvalOptions {
  readonly split: string;
  readonly part: Part;
  readonly limit?: number;
  readonly model: string;
  readonly readout: Readout;
  readonly rotations: number;
  readonly order: "trace" | "fixed";
  readonly samples: number;
  readonly temperature: number;
  readonly topP: number;
  readonly maxTokens: number;
  readonly seed: string;
  readonly workers?: number;
  readonly timeout?: number;
  readonly retries?: number;
  readonly adapter?: string;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly resume?: true;
  readonly out: string;
  readonly json?: true;
}

export function addEval(program: Command, io: Io): void {
  program
    .command("eval")
    .description("evaluate one arm: ask a model about every trace of one side and keep its answers")
    .argument("<set>")
    .option("--split <file>", "verified split of the set")
    .option(
      "--model <spec>",
      "onnx:DIR[#file], hf:DIR, http(s)://host/v1#model, scripted:FILE, baseline:act, baseline:uniform or baseline:words",
    )
    .option("--part <side>", "test or train", oneOf(["test", "train"]), "test")
    .option("--limit <n>", "ask only so many traces", wholeNumber(1))
    .option(
      "--readout <kind>",
      "generative or decision",
      oneOf(["generative", "decision"]),
      "generative",
    )
    .option("--rotations <k>", "decision: letter orders to average, 1 to 5", wholeNumber(1, 5), 1)
    .option(
      "--order <kind>",
      "decision: fixed puts A to E in label order",
      oneOf(["trace", "fixed"]),
      "trace",
    )
    .option("--samples <n>", "generative: answers per trace", wholeNumber(1, 10_000), 1)
    .option("--temperature <t>", "generative: 0 is greedy", numberWithin(0, 10), 0)
    .option("--top-p <p>", "generative: nucleus sampling", numberWithin(0, 1), 1)
    .option("--max-tokens <m>", "generative: longest answer", wholeNumber(1), 256)
    .addOption(seedOption())
    .option(
      "--workers <w>",
      "onnx and hf: threads that each hold the weights; endpoints: requests in flight (4)",
      wholeNumber(1),
    )
    .option(
      "--timeout <s>",
      "endpoints: seconds for one complete reply (60)",
      numberWithin(0.001, 86_400),
    )
    .option(
      "--retries <n>",
      "endpoints: tries after the first one (5; after a time-out 2)",
      wholeNumber(0, 100),
    )
    .option("--adapter <dir>", "hf: a LoRA adapter in PEFT's layout")
    .option("--shard <i/n>", "only the i-th of n parts of the traces", readShard)
    .option("--resume", "go on with the run in the folder, or start it there")
    .option("-o, --out <run>", "folder of the run")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  steerbench eval scenario-sets/demo --split splits/demo.json --model baseline:words --readout decision -o runs/words",
    )
    .action((path: string, options: EvalOptions, command: Command) => {
      refuseForeignOptions(options.readout, command);
      refuseEndpointOptions(options);
      requireOptions("eval", options, {
        split: "--split FILE",
        model: "--model SPEC",
        out: "-o RUN",
      });
      return runEval(path, options, io);
    });
}

/** Options that one readout has and the other would silently ignore. */
const OWN_OPTIONS: Readonly<Record<Readout, readonly string[]>> = {
  generative: ["samples", "temperature", "topP", "maxTokens"],
  decision: ["rotations", "order"],
};

function refuseForeignOptions(readout: Readout, command: Command): void {
  const other = readout === "decision" ? "generative" : "decision";
  const foreign = command.options.filter((option) => {
    const name = option.attributeName();
    return OWN_OPTIONS[other].includes(name) && command.getOptionValueSource(name) === "cli";
  });
  if (foreign.length === 0) return;
  const flags = foreign.map((option) => option.long).join(" and ");
  const belong = foreign.length === 1 ? "it belongs" : "they belong";
  throw new SteerError("usage", `${flags} would do nothing: ${belong} to --readout ${other}`);
}

function refuseEndpointOptions({ model, timeout, retries }: EvalOptions): void {
  if (model === undefined || /^https?:/i.test(model)) return;
  const flags = [
    timeout === undefined ? [] : "--timeout",
    retries === undefined ? [] : "--retries",
  ];
  const given = flags.flat().join(" and ");
  if (given === "") return;
  throw new SteerError("usage", `${given} would do nothing: only endpoints, http(s)://…, wait`);
}

async function runEval(path: string, options: EvalOptions, io: Io): Promise<void> {
  const { evaluate } = await import("../../eval/evaluate.ts");
  const { failureText } = await import("../../eval/failures.ts");
  const { modelWarnings } = await import("../../eval/model-warnings.ts");
  const { openModel } = await import("../../model/spec.ts");
  const { repairText } = await import("../../result/torn-row.ts");
  const { trainSide } = await import("../../model/train-side.ts");
  const set = await openSet(path, io);
  const split = await openSplit(options.split);
  const splitFile = options.split;
  const { systemClock } = await import("../../model/endpoint/clock.ts");
  const endpoint = {
    readout: options.readout,
    apiKey: endpointKey(),
    clock: systemClock,
    signal: io.signal,
    concurrency: options.workers,
    timeoutMs: options.timeout && options.timeout * 1000,
    retries: options.retries,
    onNote: (text: string) => io.note(`${text}\n`),
  };
  const model = await openModel(options.model, () => trainSide(set, split, splitFile), {
    endpoint,
    workers: options.workers,
    adapter: options.adapter,
  });
  try {
    await requireBaseOf(options.adapter, model);
    for (const warning of modelWarnings(model.describe())) io.note(`${warning}\n`);
    const { part, limit, seed, shard, out, resume = false } = options;
    const choice = { set, split, splitFile, part, limit, shard, model, seed, out, resume };
    const [readout, vectors] = [readoutOf(options), await storedVectors()];
    const result = await io.withProgress(model.describe().spec, (onProgress) =>
      evaluate({ ...choice, readout, vectors, signal: io.signal, onProgress }),
    );
    const { total, found, failed, failures, repair } = result;
    if (repair) io.note(`${repairText(repair)}\n`);
    await io.print(
      options.json
        ? `${JSON.stringify({ run: out, total, found, failed, failures })}\n`
        : `${out}: ${total - failed} of ${total} answers${found > 0 ? `, ${found} from before` : ""}\n`,
    );
    if (failed > 0) {
      io.note(failureText(failures));
      io.setExitCode(1);
    }
  } finally {
    await model.close();
    set.close();
  }
}

/** Refuses an adapter that was trained here beside another model. */
async function requireBaseOf(adapter: string | undefined, model: Model): Promise<void> {
  if (adapter === undefined) return;
  const { requireOwnBase } = await import("../../train/plan.ts");
  await requireOwnBase(adapter, model.describe().files);
}

function readoutOf(options: EvalOptions): ReadoutOptions {
  const { readout, order, rotations, samples, temperature, topP, maxTokens } = options;
  return readout === "decision"
    ? { readout, order, rotations }
    : { readout, samples, temperature, topP, maxTokens };
}

function readShard(text: string): { index: number; count: number } {
  const [, index, count] = /^([0-9]+)\/([0-9]+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (index === undefined || shard.index < 1 || shard.index > shard.count) {
    throw new InvalidArgumentError("write it as 2/4 for the second of four.");
  }
  return shard;
}
