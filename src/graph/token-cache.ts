import { cacheTensors } from "./cached-graph.ts";
import type { DecoderConfig } from "./decoder/config.ts";
import { type Feeds, floats, type TensorData } from "./tensor-data.ts";

/**
 * Keys and values of tokens that a cached graph has read, with room for more. Every row is filled
 * to the same length; places that a row does not use are hidden by the mask.
 */
export interface TokenCache {
  readonly config: DecoderConfig;
  readonly rows: number;
  /** Places of each row: the graph's cached tokens C, used or not. */
  readonly capacity: number;
  /** Places in use, from the first on. */
  length: number;
  /** Inputs of the graph, changed in place: [rows, key-value heads, capacity, head size] each. */
  readonly past: Feeds;
}

/** A cache without tokens. */
export function openCache(config: DecoderConfig, rows: number, capacity: number): TokenCache {
  const { keyValueHeads, headSize } = config;
  const dims = [rows, keyValueHeads, capacity, headSize];
  const past: Feeds = {};
  for (const tensor of cacheTensors(config)) {
    past[tensor.past] = floats(new Float32Array(rows * keyValueHeads * capacity * headSize), dims);
  }
  return { config, rows, capacity, length: 0, past };
}

/**
 * Puts the keys and values that a run gave behind those of the cache, in place: copying the whole
 * cache at each step would take as long as the step.
 *
 * @param outputs of the run, with the added part of every tensor
 * @throws Error when there is no room
 */
export function storeAdded(cache: TokenCache, outputs: Readonly<Record<string, TensorData>>): void {
  const { config, rows, capacity, length } = cache;
  let count = 0;
  for (const { past, added } of cacheTensors(config)) {
    const fresh = outputs[added];
    const target = cache.past[past];
    if (fresh?.type !== "float32" || target?.type !== "float32") {
      throw new Error(`the run gave no ${added}`);
    }
    count = fresh.dims[2] ?? 0;
    if (length + count > capacity) throw new Error(`no room for ${count} tokens in the cache`);
    const blocks = rows * config.keyValueHeads;
    copyBlocks(fresh.data, target.data, blocks, config.headSize, { count, capacity, at: length });
  }
  cache.length += count;
}

/** The same tokens with more room behind them. */
export function growCache(cache: TokenCache, capacity: number): TokenCache {
  const { config, rows, length } = cache;
  const grown = openCache(config, rows, capacity);
  for (const [name, from] of Object.entries(cache.past)) {
    const to = grown.past[name];
    if (from.type !== "float32" || to?.type !== "float32") continue;
    copyBlocks(from.data, to.data, rows * config.keyValueHeads, config.headSize, {
      count: cache.capacity,
      capacity,
      at: 0,
    });
  }
  grown.length = length;
  return grown;
}

/** Copies blocks of `count` vectors into blocks of `capacity` vectors, from place `at` on. */
function copyBlocks(
  from: Float32Array,
  to: Float32Array,
  blocks: number,
  size: number,
  { count, capacity, at }: { count: number; capacity: number; at: number },
): void {
  for (let block = 0; block < blocks; block++) {
    const part = from.subarray(block * count * size, (block + 1) * count * size);
    to.set(part, (block * capacity + at) * size);
  }
}
