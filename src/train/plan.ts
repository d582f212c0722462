import { basename, resolve } from "node:path";
import { SteerError } from "../core/errors.ts";
import { compareText, digest, orderByHash } from "../core/hash.ts";
import { carveValidation } from "../data/carve-validation.ts";
import type { OnProgress } from "../data/jsonl.ts";
import type { ScenarioSet, Split } from "../data/types.ts";
import { requireVerified } from "../data/verify.ts";
import type { LoraShape } from "../graph/decoder/lora.ts";
import { ADAPTER_FILES, readAdapterFolder } from "../model/hf/adapter-folder.ts";
import { hashFiles } from "../model/onnx/hash-files.ts";
import { loadRuntime } from "../model/onnx/runtime.ts";
import { PROMPT_VERSION, templateHash } from "../task/prompt.ts";
import { SCORER_VERSION } from "../task/score.ts";
import { openBaseModel } from "./base-model.ts";
import { stepsOf } from "./batches.ts";
import { type Method, readTrainHeader, type TrainHeader } from "./header.ts";
import type { TrainJob } from "./job.ts";

/** What is asked of a training run. Everything is chosen; defaults belong to the command line. */
export interface TrainRequest {
  readonly set: ScenarioSet;
  readonly split: Split;
  /** How errors name the split. */
  readonly splitFile: string;
  readonly method: Method;
  /** Folder of the model. */
  readonly model: string;
  /** Folder of an adapter to go on from. */
  readonly from: string | null;
  /** The adapter to train; null trains the model's own weights. A head needs neither. */
  readonly lora: LoraShape | null;
  /** Traces to train on, at most; null for all. */
  readonly limit: number | null;
  /** Traces to keep back for validation, about, by whole families of the train side. */
  readonly validation: number;
  readonly batch: number;
  /** Steps, or how often to go through all traces. */
  readonly length: { readonly steps: number } | { readonly epochs: number };
  readonly learningRate: number;
  readonly warmUp: number;
  readonly saveEvery: number;
  readonly seed: string;
  readonly rollouts: TrainHeader["rollouts"];
  readonly threads: number;
  readonly out: string;
  readonly resume: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Chooses the traces, all of them from the train side of a verified split, and describes the run.
 *
 * @throws SteerError `unverified` for a split that the set does not confirm, `impossible` when no
 *   trace is left, `mismatch` for an adapter of another model, and what opening the model throws
 */
export async function planTraining(request: TrainRequest): Promise<TrainJob> {
  const { set, split, method, model, from, rollouts, batch, seed, threads } = request;
  const { train, validation } = await chooseTraces(request);
  const base = openBaseModel(model);
  base.weights.close();
  const modelFiles = await hashFiles(model, base.files);
  const started = from === null ? null : readAdapterFolder(from, base.config);
  if (from !== null) await requireOwnBase(from, modelFiles);
  const { env } = await loadRuntime();
  const header: TrainHeader = {
    version: 1,
    method,
    model: { name: base.name, files: modelFiles },
    from: from === null ? null : await describeAdapter(from),
    set: { name: set.name, digest: set.digest, canary: set.canary },
    split: { digest: digest(split), part: "train" },
    traces: {
      train: train.length,
      validation: validation.length,
      digest: digest([train, validation].map((rows) => contentsOf(set, rows))),
    },
    prompt: {
      version: PROMPT_VERSION,
      template: templateHash(method === "sft" || method === "rl" ? "generative" : "decision"),
    },
    scorer: { version: SCORER_VERSION },
    trained: trainedOf(method, started?.lora ?? request.lora),
    steps:
      "steps" in request.length
        ? request.length.steps
        : stepsOf(train.length, request.length.epochs, batch),
    batch,
    learningRate: request.learningRate,
    warmUp: request.warmUp,
    saveEvery: request.saveEvery,
    seed,
    rollouts,
    threads,
    runtime: `onnxruntime-node ${env.versions.node ?? "of unknown version"}`,
  };
  const read = (rows: readonly number[]) => rows.map((position) => set.readTrace(position));
  const traces = { train: read(train), validation: read(validation) };
  return { header, model, from, ...traces, out: request.out, resume: request.resume };
}

/**
 * Positions of the traces to train on and of those kept back, both in the order of their hashes.
 *
 * @throws SteerError `unverified` for a split that the set does not confirm, `impossible` when no
 *   trace is left
 */
export async function chooseTraces({
  set,
  split,
  splitFile,
  validation,
  limit,
  seed,
  onProgress,
}: Pick<
  TrainRequest,
  "set" | "split" | "splitFile" | "validation" | "limit" | "seed" | "onProgress"
>) {
  const rows = await requireVerified(set, split, { file: splitFile, onProgress });
  const carved =
    validation === 0
      ? { train: rows.train, validation: [] }
      : carveValidation(set.heads, Uint32Array.from(rows.train), validation, seed);
  const ordered = (positions: Iterable<number>) =>
    orderByHash([...positions], (position) => set.heads[position]?.id ?? "");
  const train = ordered(carved.train).slice(0, limit ?? undefined);
  if (train.length === 0) {
    throw new SteerError("impossible", `the train side of ${splitFile} has no traces`);
  }
  return { train, validation: ordered(carved.validation) };
}

function contentsOf({ heads }: ScenarioSet, rows: readonly number[]): (string | undefined)[][] {
  return rows
    .map((position) => [heads[position]?.id, heads[position]?.content])
    .sort(([a = ""], [b = ""]) => compareText(a, b));
}

function trainedOf(method: Method, lora: LoraShape | null): TrainHeader["trained"] {
  if (method === "head") return { kind: "head" };
  if (lora === null) return { kind: "model" };
  const { rank, alpha, targets } = lora;
  return { kind: "adapter", rank, alpha, targets: [...targets] };
}

async function describeAdapter(folder: string): Promise<NonNullable<TrainHeader["from"]>> {
  return { name: basename(resolve(folder)), files: await hashFiles(folder, ADAPTER_FILES) };
}

/**
 * Refuses an adapter that was trained here beside another model. One from elsewhere says nothing of
 * its model; only its shape is checked, when it is read.
 *
 * @throws SteerError `mismatch`
 */
export async function requireOwnBase(
  adapter: string,
  modelFiles: Readonly<Record<string, string>>,
): Promise<void> {
  const header = await readTrainHeader(adapter);
  const other = Object.keys(header?.model.files ?? {}).filter(
    (file) => header?.model.files[file] !== modelFiles[file],
  );
  if (other.length === 0) return;
  const message = `was trained beside another model: ${other.join(", ")} differ from --model`;
  throw new SteerError("mismatch", `${adapter}: ${message}; name the model it belongs to`);
}
