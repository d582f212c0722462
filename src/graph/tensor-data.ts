import { countOf } from "./shape.ts";

/** A tensor outside of a graph, as a runtime's tensors are made from it. */
export type TensorData =
  | { readonly type: "float32"; readonly data: Float32Array; readonly dims: readonly number[] }
  | { readonly type: "int64"; readonly data: BigInt64Array; readonly dims: readonly number[] };

/** Tensors by the names of a graph's inputs or outputs. */
export type Feeds = Record<string, TensorData>;

/** Numbers in single precision. */
export function floats(data: Float32Array, dims: readonly number[]): TensorData {
  return { type: "float32", data, dims };
}

/** Whole numbers in 64 bits; the runtime takes no others as ids. */
export function integers(values: readonly number[], dims: readonly number[]): TensorData {
  return { type: "int64", data: BigInt64Array.from(values, BigInt), dims };
}

/** Weights as inputs of a graph. The numbers are not copied: what changes them changes the feeds. */
export function feedWeights(
  shapes: ReadonlyMap<string, readonly number[]>,
  weights: ReadonlyMap<string, Float32Array>,
): Feeds {
  const feeds: Feeds = {};
  for (const [name, shape] of shapes) {
    const numbers = weights.get(name);
    if (numbers?.length !== countOf(shape))
      throw new Error(`${name} is missing or of another size`);
    feeds[name] = floats(numbers, shape);
  }
  return feeds;
}
