import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Label } from "../../src/core/intervention.ts";
import { makeSplit } from "../../src/data/split.ts";
import { readDecoderConfig } from "../../src/graph/decoder/config.ts";
import { PROJECTIONS, parameterShapes } from "../../src/graph/decoder/parameters.ts";
import { countOf } from "../../src/graph/shape.ts";
import type { TrainJob, TrainWatch } from "../../src/train/job.ts";
import { writeTensors } from "../../src/train/model-files.ts";
import { planTraining, type TrainRequest } from "../../src/train/plan.ts";
import { loadTraces } from "../data/support/sets.ts";
import { loadFamilies } from "../eval/support.ts";
import { randomFloats } from "../graph/support.ts";
import { temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { makeTrace } from "../support/traces.ts";

const TOKENIZER_FILES = ["tokenizer.json", "tokenizer_config.json", "generation_config.json"];

/** Sizes that train in seconds. */
const CONFIG = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  vocab_size: 3072,
  hidden_size: 32,
  intermediate_size: 64,
  num_hidden_layers: 1,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 8,
  max_position_embeddings: 1024,
  rms_norm_eps: 1e-5,
  rope_theta: 10_000,
  tie_word_embeddings: true,
  eos_token_id: [2, 0],
};

/** Writes a random Llama into a new folder, by default one that is removed with the test. */
export async function makeModel(
  changes: Partial<typeof CONFIG> = {},
  folder = join(temporaryFolder(), "model"),
): Promise<string> {
  mkdirSync(folder);
  const content = { ...CONFIG, ...changes };
  writeFileSync(join(folder, "config.json"), JSON.stringify(content));
  for (const file of TOKENIZER_FILES) {
    copyFileSync(repositoryPath(`models/tiny/${file}`), join(folder, file));
  }
  const shapes = parameterShapes(readDecoderConfig(content, "config.json"));
  const tensors = new Map(
    [...shapes].map(([name, shape]) => {
      const numbers = randomFloats(name, countOf(shape), 0.1);
      return [name, name.includes("norm") ? numbers.map(() => 1) : numbers];
    }),
  );
  await writeTensors(join(folder, "model.safetensors"), shapes, tensors);
  return folder;
}

/** A request to train an adapter on the train side of a small set; any part can be replaced. */
export async function makeRequest(changes: Partial<TrainRequest> = {}): Promise<TrainRequest> {
  const { set, split } = await loadFamilies(6);
  return {
    set,
    split,
    splitFile: "split.json",
    method: "sft",
    model: changes.model ?? (await makeModel()),
    from: null,
    lora: { rank: 8, alpha: 16, targets: PROJECTIONS },
    limit: null,
    validation: 0,
    batch: 2,
    length: { steps: 3 },
    learningRate: 1e-2,
    warmUp: 2,
    saveEvery: 100,
    seed: "1",
    rollouts: null,
    threads: 1,
    out: join(temporaryFolder(), "run"),
    resume: false,
    ...changes,
  };
}

/** A job for {@link makeRequest}. */
export async function makeJob(changes: Partial<TrainRequest> = {}): Promise<TrainJob> {
  return planTraining(await makeRequest(changes));
}

/** A watch under which no time passes. */
export const STILL: TrainWatch = {
  isStopped: () => false,
  onProgress: () => {},
  now: () => 0,
};

/** A watch that stops a run after so many steps. */
export function stopAfter(steps: number): TrainWatch {
  let done = 0;
  return {
    ...STILL,
    isStopped: () => done >= steps,
    onProgress: (step) => {
      done = step;
    },
  };
}

/** The bytes of a file of a folder, as text. */
export function bytesOf(folder: string, file: string): string {
  return readFileSync(join(folder, file)).toString("latin1");
}

/** A set of traces whose situations say nothing and whose answers are short, and its split. */
export async function loadShort(
  labels: readonly Label[],
): Promise<Pick<TrainRequest, "set" | "split">> {
  const set = await loadTraces(
    labels.map((label, k) =>
      makeTrace({
        id: `s-${k}`,
        family: `f-${k}`,
        task: "Go on.",
        memory: [],
        observation: "Done.",
        label,
        rationale: "So.",
      }),
    ),
  );
  const { split } = await makeSplit(set, { test: 1, seed: "1", near: false });
  return { set, split };
}
