import type { DecoderConfig } from "../../graph/decoder/config.ts";
import { type LoraShape, loraShapes } from "../../graph/decoder/lora.ts";
import { parameterShapes } from "../../graph/decoder/parameters.ts";
import { weightsInFile } from "../../graph/decoder/stored-weights.ts";
import { bytesPerNumber, type NumberFormat } from "../../graph/safetensors/number-formats.ts";
import type { WeightFile } from "../../graph/safetensors/weight-file.ts";
import { buildServingGraph } from "../../graph/serving-graph.ts";
import { countAll } from "../../graph/shape.ts";
import { findDataFolder } from "../onnx/data-folder.ts";
import { POSITIONS_INPUT } from "../onnx/detached-graph.ts";
import type { ModelGraph } from "../onnx/model-graph.ts";

/** An adapter, its tensors checked against the model it changes. */
export interface StoredAdapter {
  readonly lora: LoraShape;
  readonly weights: Pick<WeightFile, "path" | "tensors">;
}

/**
 * The decoder as a graph that the runtime fills from the safetensors files by itself, in the form
 * that sessions of exported models run.
 */
export function makeServingModel(
  config: DecoderConfig,
  weights: Pick<WeightFile, "path" | "tensors">,
  adapter: StoredAdapter | null,
): ModelGraph {
  const stored = [weights, ...(adapter === null ? [] : [adapter.weights])];
  const data = findDataFolder(stored.map(({ path }) => path));
  const source = ({ path, tensors }: typeof weights) => weightsInFile(tensors, data.place(path));
  const { bytes, slots } = buildServingGraph(
    {
      config,
      lora: adapter?.lora ?? null,
      weights: source(weights),
      adapter: adapter === null ? "inputs" : source(adapter.weights),
    },
    POSITIONS_INPUT,
  );
  return {
    bytes,
    dataFolder: data.folder,
    layout: {
      slots: slots.map((slot) => {
        return { ...slot, heads: config.keyValueHeads, headSize: config.headSize };
      }),
      cacheType: "float32",
      logitsType: "float32",
      hasAttentionMask: true,
      hasPositionIds: true,
      hasLogitsToKeep: false,
      attention: "plain",
      vocabulary: config.vocabulary,
    },
    head: "rewritten",
    wholeHeadReason: null,
    weights: formatOf(weights),
    weightBytes: loadedBytes(config, adapter),
    sideFiles: [],
  };
}

/** Everything is computed in single precision, so halves are widened when they are loaded. */
function loadedBytes(config: DecoderConfig, adapter: StoredAdapter | null): number {
  const added = adapter === null ? 0 : countAll(loraShapes(config, adapter.lora));
  return bytesPerNumber("F32") * (countAll(parameterShapes(config)) + added);
}

const FORMAT_NAMES: Readonly<Record<NumberFormat, string>> = {
  F32: "fp32",
  F16: "fp16",
  BF16: "bf16",
};

/** The number format that most bytes of a file are stored in. */
function formatOf({ tensors }: Pick<WeightFile, "tensors">): string {
  const bytes: Record<NumberFormat, number> = { F32: 0, F16: 0, BF16: 0 };
  for (const { format, length } of tensors.values()) bytes[format] += length;
  const formats = Object.keys(bytes) as NumberFormat[];
  return FORMAT_NAMES[formats.reduce((most, next) => (bytes[next] > bytes[most] ? next : most))];
}
