import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { SteerError } from "../core/errors.ts";
import type { LoraShape } from "../graph/decoder/lora.ts";
import { PROJECTIONS, type Projection } from "../graph/decoder/parameters.ts";
import type { Method, TrainHeader } from "../train/header.ts";
import type { TrainRequest } from "../train/plan.ts";
import { jsonOption, numberWithin, oneOf, seedOption, wholeNumber } from "./options.ts";
import { addSchemeOptions, resolveSchemes, type SchemeOptions } from "./schemes.ts";

/** What `train METHOD` takes, as commander gives it. */
export interface TrainOptions extends SchemeOptions {
  readonly split: string;
  readonly model: string;
  readonly out: string;
  readonly limit?: number;
  readonly validation: number;
  readonly batch: number;
  readonly epochs: number;
  readonly steps?: number;
  readonly learningRate?: number;
  readonly warmUp: number;
  readonly saveEvery: number;
  readonly seed: string;
  readonly threads: number;
  readonly resume?: true;
  readonly json?: true;
  readonly full?: true;
  readonly rank: number;
  readonly alpha?: number;
  readonly targets: readonly Projection[];
  readonly from?: string;
  readonly samples: number;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly divideBy: "group" | "answer";
}

/** What methods begin with; whole models move more slowly than adapters. */
interface Defaults {
  readonly batch: number;
  readonly epochs: number;
  readonly learningRate: number;
  readonly fullLearningRate: number;
  readonly saveEvery: number;
}

const DEFAULTS: Readonly<Record<Method, Defaults>> = {
  sft: { batch: 8, epochs: 2, learningRate: 2e-4, fullLearningRate: 2e-5, saveEvery: 25 },
  rl: { batch: 1, epochs: 1, learningRate: 2e-5, fullLearningRate: 2e-6, saveEvery: 25 },
  decision: { batch: 8, epochs: 2, learningRate: 2e-4, fullLearningRate: 2e-5, saveEvery: 25 },
  head: { batch: 32, epochs: 30, learningRate: 1e-3, fullLearningRate: 1e-3, saveEvery: 200 },
};

/** Adds the options of every method. */
export function addTrainOptions(command: Command, method: Method): Command {
  const { batch, epochs, learningRate, fullLearningRate, saveEvery } = DEFAULTS[method];
  const rate =
    method === "head" ? `${learningRate}` : `${learningRate}, with --full ${fullLearningRate}`;
  return command
    .option("--split <file>", "verified split of the set; only its train side is used")
    .option("--model <dir>", "model folder with config.json, tokenizer and model.safetensors")
    .option("-o, --out <dir>", "folder of the training run")
    .option("--limit <n>", "train on only so many traces", wholeNumber(1))
    .option("--validation <n>", "keep about n train traces back, by family", wholeNumber(0), 0)
    .option("--batch <n>", "traces of a step", wholeNumber(1), batch)
    .option("--epochs <n>", "times through all traces", numberWithin(0.001, 10_000), epochs)
    .addOption(
      new Option("--steps <n>", "steps to make").argParser(wholeNumber(1)).conflicts("epochs"),
    )
    .option(
      "--learning-rate <x>",
      `reached after the warm-up (default: ${rate})`,
      numberWithin(1e-12, 10),
    )
    .option("--warm-up <n>", "updates over which the rate rises", wholeNumber(0), 10)
    .option("--save-every <n>", "steps between checkpoints", wholeNumber(1), saveEvery)
    .addOption(seedOption())
    .option(
      "--threads <n>",
      "inside each call; equal bits need equal threads",
      wholeNumber(1),
      availableParallelism(),
    )
    .option("--resume", "go on with the run in the folder, or begin it there")
    .addOption(jsonOption());
}

/** Adds what to train: an adapter, or the whole model. */
export function addAdapterOptions(command: Command): Command {
  return command
    .option("--full", "train the model's own weights, without an adapter")
    .option("--rank <r>", "of the adapter", wholeNumber(1, 4096), 16)
    .option(
      "--alpha <a>",
      "the adapter is scaled by alpha / rank (default: twice the rank)",
      numberWithin(1e-6, 1e6),
    )
    .option("--targets <list>", "projections with an adapter", readTargets, [
      "q_proj",
      "k_proj",
      "v_proj",
      "o_proj",
    ]);
}

/** Adds what reinforcement learning needs besides. */
export function addRolloutOptions(command: Command): Command {
  return addSchemeOptions(command)
    .option("--from <dir>", "adapter to go on from, such as that of train sft")
    .option("--samples <n>", "answers to each trace", wholeNumber(2, 1024), 8)
    .option("--temperature <t>", "of the samples", numberWithin(0.01, 10), 1)
    .option("--max-tokens <m>", "longest answer", wholeNumber(1), 128)
    .option(
      "--divide-by <what>",
      "log-probabilities are divided by the answer tokens of the group, or of each answer",
      oneOf(["group", "answer"]),
      "group",
    );
}

/**
 * Makes a request of the options.
 *
 * @throws SteerError `usage` for options that do not go together
 */
export async function readRequest(
  method: Method,
  options: TrainOptions,
  command: Command,
): Promise<Omit<TrainRequest, "set" | "split" | "onProgress">> {
  const { batch, warmUp, saveEvery, seed, threads, model, out, validation } = options;
  refuseForeign(options, command);
  const { learningRate, fullLearningRate } = DEFAULTS[method];
  return {
    method,
    splitFile: options.split,
    model,
    from: options.from ?? null,
    lora: method === "head" || options.full ? null : loraOf(options),
    limit: options.limit ?? null,
    validation,
    batch,
    length: options.steps === undefined ? { epochs: options.epochs } : { steps: options.steps },
    learningRate: options.learningRate ?? (options.full ? fullLearningRate : learningRate),
    warmUp,
    saveEvery,
    seed,
    rollouts: method === "rl" ? await rolloutsOf(options) : null,
    threads,
    out,
    resume: options.resume ?? false,
  };
}

function loraOf({ rank, alpha, targets }: TrainOptions): LoraShape {
  return { rank, alpha: alpha ?? 2 * rank, targets };
}

async function rolloutsOf(options: TrainOptions): Promise<TrainHeader["rollouts"]> {
  const [scheme, ...others] = options.scheme === undefined ? [] : await resolveSchemes(options);
  if (scheme === undefined || others.length > 0) {
    throw new SteerError("usage", "train rl needs one --scheme: symmetric, asymmetric or a file");
  }
  const { samples, temperature, maxTokens, divideBy } = options;
  return { scheme, samples, temperature, maxTokens, divideBy };
}

/** Options that would do nothing beside others. */
function refuseForeign({ full, from }: TrainOptions, command: Command): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  const shape = ["rank", "alpha", "targets"].filter(isGiven).map((name) => `--${name}`);
  const refuse = (flags: string, why: string) => {
    throw new SteerError("usage", `${flags} would do nothing: ${why}`);
  };
  if (full && shape.length > 0) refuse(shape.join(" and "), "--full trains without an adapter");
  if (from !== undefined && shape.length > 0) {
    refuse(shape.join(" and "), "the adapter of --from has its shape");
  }
  if (full && from !== undefined) {
    refuse("--from", "--full goes on from whole models; name the folder as --model");
  }
}

function readTargets(text: string): Projection[] {
  const names = text.split(",");
  const targets = PROJECTIONS.filter((projection) => names.includes(projection));
  if (targets.length === names.length) return targets;
  throw new InvalidArgumentError(`it must be some of ${PROJECTIONS.join(",")}, each once.`);
}
