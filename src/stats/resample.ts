import { fillIndexes, resampleStates } from "./index-stream.ts";

/** What is drawn, one entry per block: a unit, or a whole cluster of units. */
export interface Blocks {
  /** Total of each arm over the block's units, in whole numbers. */
  readonly totals: readonly Float64Array[];
  /** Units in each block. */
  readonly sizes: Float64Array;
}

/** What came out, one entry per resample: the same sums over the blocks drawn. */
export type Resampled = Blocks;

/** Which resamples to draw: `from` included, `to` excluded. */
export interface ResampleRange {
  readonly seed: number | string;
  readonly from: number;
  readonly to: number;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const PROGRESS_EVERY = 100;

/** Every unit a block of its own. */
export function unitBlocks(series: readonly Float64Array[]): Blocks {
  return { totals: series, sizes: new Float64Array(series[0]?.length ?? 0).fill(1) };
}

/**
 * The units of each cluster as one block, in ascending order of the cluster numbers.
 *
 * @param clusters the cluster number of each unit
 */
export function clusterBlocks(
  series: readonly Float64Array[],
  clusters: readonly number[],
): Blocks {
  const numbers = [...new Set(clusters)].sort((a, b) => a - b);
  const blockOf = new Map(numbers.map((number, block) => [number, block]));
  const gather = (valueAt: (unit: number) => number) => {
    const sums = new Float64Array(numbers.length);
    clusters.forEach((number, unit) => {
      const block = blockOf.get(number) as number;
      sums[block] = (sums[block] as number) + valueAt(unit);
    });
    return sums;
  };
  return {
    totals: series.map((values) => gather((unit) => values[unit] as number)),
    sizes: gather(() => 1),
  };
}

/**
 * Draws as many blocks as there are, with replacement, once per resample, and adds each arm up over
 * the same draw. A resample's draw depends on the seed and its own index alone, so ranges computed
 * apart (by several workers, say) join into the whole. Memory: one index per block and one
 * number per arm and resample.
 */
export function resample(
  { totals, sizes }: Blocks,
  { seed, from, to, onProgress }: ResampleRange,
): Resampled {
  const count = to - from;
  const out = { totals: totals.map(() => new Float64Array(count)), sizes: new Float64Array(count) };
  // One row of the index matrix at a time, shared by all arms.
  const drawn = new Int32Array(sizes.length);
  const states = resampleStates(seed, from);
  for (let i = 0; i < count; i++) {
    fillIndexes(drawn, states.next().value);
    totals.forEach((values, arm) => {
      (out.totals[arm] as Float64Array)[i] = sumOver(values, drawn);
    });
    out.sizes[i] = sumOver(sizes, drawn);
    if ((i + 1) % PROGRESS_EVERY === 0 || i + 1 === count) onProgress?.(i + 1, count);
  }
  return out;
}

/** Four running sums side by side: each addition of one sum has to wait for the one before. */
function sumOver(values: Float64Array, drawn: Int32Array): number {
  const { length } = drawn;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let k = 0;
  for (; k + 3 < length; k += 4) {
    a += values[drawn[k] as number] as number;
    b += values[drawn[k + 1] as number] as number;
    c += values[drawn[k + 2] as number] as number;
    d += values[drawn[k + 3] as number] as number;
  }
  for (; k < length; k++) a += values[drawn[k] as number] as number;
  return a + b + (c + d);
}
