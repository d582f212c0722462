import type { Tensors } from "../graph/adapter/merge.ts";
import { readWeights } from "../graph/decoder/check-weights.ts";
import type { DecoderConfig } from "../graph/decoder/config.ts";
import { type LoraShape, loraShapes } from "../graph/decoder/lora.ts";
import { openWeightFile } from "../graph/safetensors/weight-file.ts";
import { readAdapterFolder } from "../model/hf/adapter-folder.ts";
import type { TrainHeader } from "./header.ts";
import type { Training } from "./job.ts";

/** The adapter that a run trains; null when it trains the model's own weights. */
export function adapterOf({ trained }: TrainHeader): LoraShape | null {
  return trained.kind === "adapter" ? trained : null;
}

/**
 * What a run's weights begin as: those of its last checkpoint, else those of the adapter it goes on
 * from, else drawn from the seed.
 */
export function startOf({ job, base, folder }: Training): { seed: string; start: Tensors | null } {
  const { seed } = job.header;
  const from = () => (job.from === null ? null : readAdapter(job.from, base.config).tensors);
  return { seed, start: folder.checkpoint?.weights ?? from() };
}

/** An adapter, read. */
export interface Adapter {
  readonly lora: LoraShape;
  readonly tensors: Tensors;
}

/**
 * Reads an adapter from a folder in PEFT's layout.
 *
 * @throws SteerError that lists what is missing, broken or made for a model of another shape
 */
export function readAdapter(path: string, config: DecoderConfig): Adapter {
  const { lora, weights } = readAdapterFolder(path, config);
  const file = openWeightFile(weights.path);
  try {
    return { lora, tensors: readWeights(file, loraShapes(config, lora)) };
  } finally {
    file.close();
  }
}
