import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { readJsonFile } from "../data/json-file.ts";
import { PROJECTIONS } from "../graph/decoder/parameters.ts";
import { differences } from "../result/run-header.ts";
import { schemeSchema } from "../task/scheme.ts";

/** The ways to train. */
export const METHODS = ["sft", "rl", "decision", "head"] as const;

/** One of {@link METHODS}. */
export type Method = (typeof METHODS)[number];

const hash = z.string().regex(/^[0-9a-f]{64}$/, "must be a sha256 in hex");
const count = z.int().min(0);
const positive = z.int().min(1);

/** A folder of weights: its own name, and the sha256 of each file that decides what it says. */
const folderSchema = z.strictObject({ name: z.string(), files: z.record(z.string(), hash) });

/** `train.json`: everything that decides what a training run makes of a model. */
export const trainHeaderSchema = z.strictObject({
  version: z.literal(1),
  method: z.enum(METHODS),
  model: folderSchema,
  /** The checkpoint that training goes on from; null for the model itself. */
  from: folderSchema.nullable(),
  set: z.strictObject({ name: z.string(), digest: hash, canary: z.string().nullable() }),
  split: z.strictObject({ digest: hash, part: z.literal("train") }),
  traces: z.strictObject({
    train: positive,
    validation: count,
    /** Over the ids and contents of both parts. */
    digest: hash,
  }),
  prompt: z.strictObject({ version: z.string(), template: hash }),
  scorer: z.strictObject({ version: z.string() }),
  trained: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("adapter"),
      rank: positive,
      alpha: z.number().positive(),
      targets: z.array(z.enum(PROJECTIONS)).min(1),
    }),
    z.strictObject({ kind: z.literal("model") }),
    z.strictObject({ kind: z.literal("head") }),
  ]),
  steps: positive,
  /** Traces of a step. */
  batch: positive,
  learningRate: z.number().positive(),
  warmUp: count,
  /** Steps between checkpoints, and between looks at the validation part. */
  saveEvery: positive,
  seed: z.string(),
  /** Of reinforcement learning only. */
  rollouts: z
    .strictObject({
      scheme: schemeSchema,
      samples: z.int().min(2),
      temperature: z.number().positive(),
      maxTokens: positive,
      /** What an answer's log-probability is divided by: the tokens of its group, or its own. */
      divideBy: z.enum(["group", "answer"]),
    })
    .nullable(),
  /** Inside each call of the graph; with another number, results differ by rounding. */
  threads: positive,
  runtime: z.string(),
});

/** See {@link trainHeaderSchema}. */
export type TrainHeader = z.infer<typeof trainHeaderSchema>;

/** The header's file in a training folder. */
export const HEADER_FILE = "train.json";

/** The text of `train.json`. */
export function headerText(header: TrainHeader): string {
  return `${JSON.stringify(header, null, 2)}\n`;
}

/**
 * The header of a training folder; null when none was begun there.
 *
 * @throws SteerError as for reading a JSON file
 */
export async function readTrainHeader(folder: string): Promise<TrainHeader | null> {
  const path = join(folder, HEADER_FILE);
  return existsSync(path) ? readJsonFile(path, trainHeaderSchema, "training header") : null;
}

/**
 * Refuses to go on with a run under other conditions.
 *
 * @throws SteerError `mismatch`, naming each field with its stored and its present value
 */
export function requireSameTraining(folder: string, stored: TrainHeader, now: TrainHeader): void {
  const found = (Object.keys(now) as (keyof TrainHeader)[]).flatMap((field) =>
    differences(field, stored[field], now[field]),
  );
  if (found.length === 0) return;
  const list = found.map(({ path, left, right }) => `${path}: stored ${left}, now ${right}`);
  throw new SteerError(
    "mismatch",
    `${join(folder, HEADER_FILE)}: this training was begun under other conditions:\n  ${list.join("\n  ")}\nRepeat them, or name another folder.`,
  );
}
