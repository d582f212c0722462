import { onTestFinished } from "vitest";
import { randomStream } from "../../src/core/random.ts";
import type { DecoderConfig } from "../../src/graph/decoder/config.ts";
import { type LoraShape, loraShapes } from "../../src/graph/decoder/lora.ts";
import { parameterShapes, type Shapes } from "../../src/graph/decoder/parameters.ts";
import { countOf } from "../../src/graph/shape.ts";
import { type Feeds, feedWeights, type TensorData } from "../../src/graph/tensor-data.ts";
import { loadRuntime } from "../../src/model/onnx/runtime.ts";

/** A graph in the real runtime. */
export interface Session {
  run(feeds: Feeds, wanted?: readonly string[]): Promise<Record<string, TensorData>>;
}

/** Loads a graph; it is released at the end of the test. */
export async function openGraph(
  bytes: Uint8Array,
  { threads = 1, folder = "" }: { threads?: number; folder?: string } = {},
): Promise<Session> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const session = await InferenceSession.create(bytes, {
    intraOpNumThreads: threads,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    extra: { session: { model_external_initializers_file_folder_path: folder } },
  });
  onTestFinished(() => session.release());
  return {
    async run(feeds, wanted) {
      const tensors = Object.entries(feeds).map(([name, { type, data, dims }]) => {
        const tensor =
          type === "int64" ? new Tensor(type, data, dims) : new Tensor(type, data, dims);
        return [name, tensor] as const;
      });
      const inputs = Object.fromEntries(tensors);
      const outputs = await (wanted ? session.run(inputs, wanted) : session.run(inputs));
      return outputs as unknown as Record<string, TensorData>;
    },
  };
}

/** The numbers of an output. */
export function numbersOf(outputs: Record<string, TensorData>, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`no numbers called ${name}`);
  return data;
}

/** Normally distributed numbers. */
export function randomFloats(seed: string, count: number, spread = 1): Float32Array {
  const random = randomStream(seed, "test");
  return Float32Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return spread * radius * Math.cos(2 * Math.PI * random());
  });
}

/** A model with a group of two heads for each head of keys, and biases. */
export const SMALL: DecoderConfig = {
  vocabulary: 31,
  hidden: 16,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headSize: 6,
  intermediate: 20,
  epsilon: 1e-5,
  ropeTheta: 100,
  context: 64,
  hasBias: true,
  isTied: true,
};

/** An adapter on every projection. */
export const SMALL_LORA: LoraShape = {
  rank: 3,
  alpha: 6,
  targets: ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
};

/** Random tensors of these shapes, of a spread at which no part of a model is negligible. */
export function randomTensors(shapes: Shapes, seed: string): Map<string, Float32Array> {
  const tensors = new Map<string, Float32Array>();
  for (const [name, shape] of shapes) {
    const numbers = randomFloats(`${seed} ${name}`, countOf(shape), 0.3);
    tensors.set(name, name.includes("norm") ? numbers.map((number) => 1 + number) : numbers);
  }
  return tensors;
}

/** A random model with a random adapter, as inputs. */
export function smallModel(config = SMALL, lora = SMALL_LORA) {
  const weights = randomTensors(parameterShapes(config), "weights");
  const adapter = randomTensors(loraShapes(config, lora), "adapter");
  return {
    weights,
    adapter,
    weightFeeds: feedWeights(parameterShapes(config), weights),
    adapterFeeds: feedWeights(loraShapes(config, lora), adapter),
  };
}

/** Euclidean distance of two lists over the length of the second; 0 for two lists of zeros. */
export function relativeError(found: Float32Array, expected: Float32Array): number {
  const difference = norm(found.map((value, i) => value - (expected[i] as number)));
  return found.length !== expected.length
    ? Number.POSITIVE_INFINITY
    : difference === 0
      ? 0
      : difference / norm(expected);
}

/** Euclidean length. */
export function norm(numbers: Float32Array): number {
  return Math.sqrt(dot(numbers, numbers));
}

/** Sum of products, in double precision. */
export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
}
