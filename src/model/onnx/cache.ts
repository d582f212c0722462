import type { CacheSlot, DecoderLayout } from "./decoder-layout.ts";
import { type FloatArray, makeFloats } from "./floats.ts";

/**
 * Keys and values of the tokens that a graph has already read, one array of shape
 * [rows, heads, length, head size] for each slot of the layout.
 */
export interface KeyValueCache {
  readonly rows: number;
  /** Places along the time axis, unused ones included. */
  readonly length: number;
  /**
   * Unused places of each row: from the row's own length on, up to the longest one's or further.
   * They are masked. Tokens that a graph appends stand behind them.
   */
  readonly gaps: readonly Gap[];
  readonly slots: readonly FloatArray[];
}

/** Places from `from` to before `to`; none when they are equal. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

const NO_GAP: Gap = { from: 0, to: 0 };

/** A cache of no tokens. */
export function emptyCache({ slots, cacheType }: DecoderLayout, rows: number): KeyValueCache {
  const gaps = Array.from({ length: rows }, () => NO_GAP);
  return { rows, length: 0, gaps, slots: slots.map(() => makeFloats(cacheType, 0)) };
}

/** Tokens that a row really holds. */
export function tokensIn(cache: KeyValueCache, row: number): number {
  const { from, to } = cache.gaps[row] as Gap;
  return cache.length - (to - from);
}

/**
 * One cache with a row for each of these one-row caches; the same one may stand several times.
 * Each row ends in a gap: of `room` places, and of what it is shorter than the longest one.
 */
export function stackCaches(
  layout: DecoderLayout,
  caches: readonly KeyValueCache[],
  room = 0,
): KeyValueCache {
  const length = Math.max(...caches.map((cache) => cache.length)) + room;
  return {
    rows: caches.length,
    length,
    gaps: caches.map((cache) => ({ from: cache.length, to: length })),
    slots: layout.slots.map((slot, s) => {
      const { heads, headSize } = slot;
      const stacked = makeFloats(layout.cacheType, caches.length * rowSize(slot, length));
      caches.forEach((cache, row) => {
        const values = cache.slots[s] as FloatArray;
        copyBlocks(values, cache.length * headSize, heads, stacked, length * headSize, row * heads);
      });
      return stacked;
    }),
  };
}

/** The same cache with `room` more places at the end of each row's gap. */
export function widenGaps(
  layout: DecoderLayout,
  cache: KeyValueCache,
  room: number,
): KeyValueCache {
  const length = cache.length + room;
  return {
    rows: cache.rows,
    length,
    gaps: cache.gaps.map(({ from }) => ({ from, to: length })),
    slots: layout.slots.map((slot, s) => {
      const { heads, headSize } = slot;
      const wide = makeFloats(layout.cacheType, cache.rows * rowSize(slot, length));
      const values = cache.slots[s] as FloatArray;
      const blocks = cache.rows * heads;
      copyBlocks(values, cache.length * headSize, blocks, wide, length * headSize, 0);
      return wide;
    }),
  };
}

/**
 * Puts one more token of each row at the beginning of the row's gap. The arrays are changed in
 * place: a copy of all of them for every token would take longer than computing it.
 *
 * @param added keys and values of the new tokens, [rows, heads, 1, head size] for each slot
 */
export function fillGaps(
  layout: DecoderLayout,
  cache: KeyValueCache,
  added: readonly FloatArray[],
): KeyValueCache {
  layout.slots.forEach(({ heads, headSize }, s) => {
    const values = cache.slots[s] as FloatArray;
    const fresh = added[s] as FloatArray;
    cache.gaps.forEach(({ from }, row) => {
      for (let head = row * heads; head < (row + 1) * heads; head++) {
        const at = (head * cache.length + from) * headSize;
        values.set(fresh.subarray(head * headSize, (head + 1) * headSize), at);
      }
    });
  });
  return { ...cache, gaps: cache.gaps.map(({ from, to }) => ({ from: from + 1, to })) };
}

/** The cache with only these rows, in this order. */
export function selectRows(
  layout: DecoderLayout,
  cache: KeyValueCache,
  rows: readonly number[],
): KeyValueCache {
  return {
    rows: rows.length,
    length: cache.length,
    gaps: rows.map((row) => cache.gaps[row] as Gap),
    slots: layout.slots.map((slot, s) => {
      const size = rowSize(slot, cache.length);
      const kept = makeFloats(layout.cacheType, rows.length * size);
      const values = cache.slots[s] as FloatArray;
      rows.forEach((row, i) => {
        kept.set(values.subarray(row * size, (row + 1) * size), i * size);
      });
      return kept;
    }),
  };
}

/** Copies blocks, one behind the other, to the beginnings of wider ones. */
function copyBlocks(
  source: FloatArray,
  size: number,
  count: number,
  target: FloatArray,
  width: number,
  first: number,
): void {
  for (let block = 0; block < count; block++) {
    target.set(source.subarray(block * size, (block + 1) * size), (first + block) * width);
  }
}

function rowSize({ heads, headSize }: CacheSlot, length: number): number {
  return heads * length * headSize;
}
