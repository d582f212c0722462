import { layOutBatch } from "../graph/batch.ts";
import { buildFeaturesGraph } from "../graph/training-graph.ts";
import { type BaseModel, storedWeights } from "./base-model.ts";
import type { PromptExample } from "./examples.ts";
import { numbersOf, openSession } from "./session.ts";

/** How features are read. */
export interface FeatureOptions {
  readonly threads: number;
  /** Throws when it is time to end. */
  readonly checkStop: () => void;
  readonly onProgress: (done: number) => void;
}

/**
 * What the output head reads behind each prompt, [hidden] each, by id. The model stays as it is, so
 * each prompt is read once for the whole training.
 */
export async function readFeatures(
  base: BaseModel,
  examples: readonly PromptExample[],
  { threads, checkStop, onProgress }: FeatureOptions,
): Promise<Map<string, Float32Array>> {
  const { source, folder } = storedWeights(base);
  const graph = buildFeaturesGraph({
    config: base.config,
    lora: null,
    weights: source,
    adapter: "inputs",
    trained: "nothing",
  });
  const session = await openSession(graph, { threads, folder });
  const features = new Map<string, Float32Array>();
  try {
    for (const { id, prompt } of examples) {
      checkStop();
      // Any target will do: the graph has no loss, only the place in front of the target.
      const row = { prompt, answers: [{ targets: [0], weights: [0] }] };
      const { targets: _, weights: __, ...feeds } = layOutBatch([row], base.config).feeds;
      features.set(id, numbersOf(await session.run(feeds), "features"));
      onProgress(features.size);
    }
  } finally {
    await session.close();
  }
  return features;
}
