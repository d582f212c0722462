import type { Tensors } from "../graph/adapter/merge.ts";
import { readWeights } from "../graph/decoder/check-weights.ts";
import { initialAdapter, type LoraShape } from "../graph/decoder/lora.ts";
import type { ModelOptions } from "../graph/decoder/model-in-graph.ts";
import { parameterShapes, type Shapes } from "../graph/decoder/parameters.ts";
import { type Feeds, feedWeights } from "../graph/tensor-data.ts";
import { trainedShapes } from "../graph/training-graph.ts";
import type { BaseModel } from "./base-model.ts";

/** A model whose weights, or an adapter's, are being trained. Graphs read them as they stand. */
export interface Policy {
  readonly base: BaseModel;
  readonly options: ModelOptions;
  /** What is trained, by the names of its file. */
  readonly shapes: Shapes;
  /** Changed in place. */
  readonly trained: Tensors;
  /** The trained weights as inputs of a graph. */
  readonly trainedFeeds: Feeds;
  /** Those that stay as they are. */
  readonly frozenFeeds: Feeds;
}

/**
 * Reads a model's weights for training.
 *
 * @param lora the adapter to train beside the frozen model; null trains the model's own weights
 * @param start what training goes on from; without it, the model itself, with an adapter that
 * changes nothing yet
 */
export function openPolicy(
  base: BaseModel,
  lora: LoraShape | null,
  { seed, start }: { readonly seed: string; readonly start: Tensors | null },
): Policy {
  const options: ModelOptions = {
    config: base.config,
    lora,
    weights: "inputs",
    adapter: "inputs",
    trained: lora === null ? "model" : "adapter",
  };
  const shapes = trainedShapes(options);
  const ownShapes = parameterShapes(base.config);
  if (lora === null) {
    const trained = start ?? readWeights(base.weights, ownShapes);
    const trainedFeeds = feedWeights(shapes, trained);
    return { base, options, shapes, trained, trainedFeeds, frozenFeeds: {} };
  }
  const trained = start ?? initialAdapter(base.config, lora, seed);
  return {
    base,
    options,
    shapes,
    trained,
    trainedFeeds: feedWeights(shapes, trained),
    frozenFeeds: feedWeights(ownShapes, readWeights(base.weights, ownShapes)),
  };
}
