import { existsSync, readdirSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { digest } from "../core/hash.ts";
import { systemReason } from "../data/file-error.ts";
import { readJsonFile } from "../data/json-file.ts";
import { writeFileAtomic } from "../data/write-file.ts";
import type { Tensors } from "../graph/adapter/merge.ts";
import { openWeightFile } from "../graph/safetensors/weight-file.ts";
import { hashFiles } from "../model/onnx/hash-files.ts";
import type { TrainHeader } from "./header.ts";
import { writeTensors } from "./model-files.ts";
import type { OptimizerState } from "./optimizer.ts";
import type { Trainable } from "./trainable.ts";

/** Where a training run stands. */
export interface Checkpoint {
  readonly step: number;
  readonly weights: Tensors;
  readonly optimizer: OptimizerState;
}

/**
 * `state.json` of a checkpoint. Random numbers are drawn afresh for each step from the seed in the
 * header and the step's number, so these two are the random state.
 */
const stateSchema = z.strictObject({
  version: z.literal(1),
  step: z.int().min(0),
  /** Updates of the weights: fewer than steps where some were skipped. */
  updates: z.int().min(0),
  /** Digest of the run's header. */
  header: z.string(),
  /** The file that holds the trained weights. */
  weights: z.string(),
  files: z.record(z.string(), z.string()),
});

const STATE_FILE = "state.json";
const OPTIMIZER_FILE = "optimizer.safetensors";
const NAME = /^checkpoint-([0-9]+)$/;
/** What a killed process left half written. */
const UNFINISHED = /^\.checkpoint-[0-9]+$/;

/** Writes a checkpoint beside the earlier ones, puts it in place whole, and removes those. */
export async function saveCheckpoint(
  folder: string,
  step: number,
  { trainable, optimizer, header }: SavedParts,
): Promise<void> {
  const target = join(folder, `checkpoint-${step}`);
  if (existsSync(target)) return;
  const stage = join(folder, `.checkpoint-${step}`);
  await removeAll(folder, UNFINISHED);
  await trainable.writeCheckpoint(stage);
  const [shapes, tensors] = [new Map<string, readonly number[]>(), new Map<string, Float32Array>()];
  for (const part of ["first", "second"] as const) {
    for (const [name, shape] of trainable.shapes) {
      shapes.set(`${part}.${name}`, shape);
      tensors.set(`${part}.${name}`, optimizer[part].get(name) as Float32Array);
    }
  }
  await writeTensors(join(stage, OPTIMIZER_FILE), shapes, tensors);
  const state: z.infer<typeof stateSchema> = {
    version: 1,
    step,
    updates: optimizer.updates,
    header: digest(header),
    weights: trainable.file,
    files: await hashFiles(stage, [OPTIMIZER_FILE, trainable.file]),
  };
  await writeFileAtomic(join(stage, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
  await attempt(target, () => rename(stage, target));
  await removeAll(folder, NAME, `checkpoint-${step}`);
}

/** What a checkpoint is made of. */
export interface SavedParts {
  readonly trainable: Trainable;
  readonly optimizer: OptimizerState;
  readonly header: TrainHeader;
}

/**
 * The newest checkpoint of a training folder; null without one.
 *
 * @throws SteerError `mismatch` when its files are not those that were written, or `unreadable`
 */
export async function loadCheckpoint(
  folder: string,
  header: TrainHeader,
): Promise<Checkpoint | null> {
  const [newest] = stepsIn(folder).sort((a, b) => b - a);
  if (newest === undefined) return null;
  const path = join(folder, `checkpoint-${newest}`);
  const state = await readJsonFile(join(path, STATE_FILE), stateSchema, "training state");
  const now = await hashFiles(path, Object.keys(state.files));
  const changed = Object.keys(state.files).filter((file) => now[file] !== state.files[file]);
  if (changed.length > 0 || state.header !== digest(header)) {
    const what = changed.length > 0 ? `${changed.join(" and ")} changed` : "its header changed";
    const fix = "delete it to go on from the beginning";
    throw new SteerError("mismatch", `${path}: ${what} since it was written; ${fix}`);
  }
  const moments = readAll(join(path, OPTIMIZER_FILE));
  const part = (prefix: string) => {
    const own = [...moments].filter(([name]) => name.startsWith(prefix));
    return new Map(own.map(([name, numbers]) => [name.slice(prefix.length), numbers]));
  };
  return {
    step: state.step,
    weights: readAll(join(path, state.weights)),
    optimizer: { updates: state.updates, first: part("first."), second: part("second.") },
  };
}

/** Removes every checkpoint, once the result is written. */
export async function removeCheckpoints(folder: string): Promise<void> {
  await removeAll(folder, NAME);
  await removeAll(folder, UNFINISHED);
}

/** Every tensor of a safetensors file. */
export function readAll(path: string): Map<string, Float32Array> {
  const file = openWeightFile(path);
  try {
    return new Map([...file.tensors.keys()].map((name) => [name, file.read(name)]));
  } finally {
    file.close();
  }
}

function stepsIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const step = NAME.exec(name)?.[1];
    return step === undefined ? [] : [Number(step)];
  });
}

async function removeAll(folder: string, pattern: RegExp, except?: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (!pattern.test(name) || name === except) continue;
    await attempt(join(folder, name), () => rm(join(folder, name), { recursive: true }));
  }
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = `${path}: cannot be written: ${systemReason(error)}`;
    throw new SteerError("unwritable", message, { cause: error });
  }
}
