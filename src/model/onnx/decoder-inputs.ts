import { type KeyValueCache, tokensIn } from "./cache.ts";
import type { DecoderLayout } from "./decoder-layout.ts";

/** The whole-number inputs of one call, each row after row. */
export interface TokenInputs {
  readonly ids: BigInt64Array;
  readonly positions: BigInt64Array;
  /** [rows, cached and new tokens] */
  readonly mask: BigInt64Array;
  /** New tokens of the longest row. */
  readonly length: number;
}

/** Stands behind the end of shorter rows, where the mask hides it. */
const FILLER = 0n;

/**
 * Lays out new tokens for a graph. Rows are filled up on the right: left of the tokens, filler
 * would shift them under grouped attention, which counts places instead of reading the mask.
 */
export function layOutTokens(
  rows: readonly (readonly number[])[],
  cache: KeyValueCache,
  attention: DecoderLayout["attention"],
): TokenInputs {
  const length = Math.max(...rows.map((row) => row.length));
  const total = cache.length + length;
  const ids = new BigInt64Array(rows.length * length).fill(FILLER);
  const positions = new BigInt64Array(rows.length * length);
  const mask = new BigInt64Array(rows.length * total);
  rows.forEach((row, r) => {
    const before = tokensIn(cache, r);
    for (let i = 0; i < length; i++) {
      const at = r * length + i;
      if (i < row.length) ids[at] = BigInt(row[i] as number);
      positions[at] = BigInt(before + Math.min(i, row.length - 1));
    }
    const own = mask.subarray(r * total, (r + 1) * total);
    if (attention === "grouped") own.fill(1n, 0, before + row.length);
    else {
      const gap = cache.gaps[r];
      own.fill(1n, 0, cache.length + row.length);
      if (gap !== undefined) own.fill(0n, gap.from, gap.to);
    }
  });
  return { ids, positions, mask, length };
}
