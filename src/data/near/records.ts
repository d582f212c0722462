import { compareText } from "../../core/hash.ts";
import { pauseAt } from "../pause.ts";
import type { BitTable } from "./bit-table.ts";
import { shingle, type TextSource } from "./screen.ts";
import { enlarged, TokenTable } from "./token-table.ts";

/**
 * Texts as sets of tokens, ordered by size and then by id. Only tokens that two groups share are
 * kept: the others add to a text's size and can never be part of an overlap.
 */
export interface TokenRecords {
  /** Positions in the set. */
  readonly positions: Uint32Array;
  /** Distinct shingles of each text. */
  readonly sizes: Uint32Array;
  /** Record r's tokens are `tokens[starts[r]]` to `tokens[starts[r + 1] - 1]`, rarest first. */
  readonly starts: Uint32Array;
  readonly tokens: Uint32Array;
  /** Tokens are below this. */
  readonly tokenCount: number;
}

/** Reads the texts at `candidates`, which come in group order. */
export async function readRecords(
  source: TextSource,
  candidates: readonly number[],
  shared: BitTable,
): Promise<TokenRecords> {
  const { groups } = source;
  const table = new TokenTable();
  const sizes = new Uint32Array(candidates.length);
  const starts = new Uint32Array(candidates.length + 1);
  let tokens = new Uint32Array(1 << 16);
  let used = 0;
  for (const [r, position] of candidates.entries()) {
    await pauseAt(r);
    const { lo, hi, count } = shingle(source, position);
    const group = groups.find(position) + 1;
    sizes[r] = count;
    while (used + count > tokens.length) tokens = enlarged(tokens);
    for (let k = 0; k < count; k++) {
      const low = lo[k] as number;
      if (shared.has(low)) tokens[used++] = table.add(low, hi[k] as number, group);
    }
    starts[r + 1] = used;
  }
  return sorted(source, candidates, { sizes, starts, tokens, table });
}

interface Raw {
  readonly sizes: Uint32Array;
  readonly starts: Uint32Array;
  readonly tokens: Uint32Array;
  readonly table: TokenTable;
}

/** Records by size and id, each with its shared tokens from the rarest on. */
function sorted({ set }: TextSource, candidates: readonly number[], raw: Raw): TokenRecords {
  const { heads } = set;
  const idOf = (r: number) => heads[candidates[r] as number]?.id ?? "";
  const order = Uint32Array.from(candidates, (_, r) => r).sort(
    (a, b) => (raw.sizes[a] as number) - (raw.sizes[b] as number) || compareText(idOf(a), idOf(b)),
  );
  const ranks = raw.table.ranks();
  const starts = new Uint32Array(candidates.length + 1);
  const tokens = new Uint32Array(raw.starts.at(-1) ?? 0);
  let used = 0;
  order.forEach((r, k) => {
    const begin = used;
    for (let at = raw.starts[r] as number; at < (raw.starts[r + 1] as number); at++) {
      const token = raw.tokens[at] as number;
      if ((raw.table.groups[token] as number) > 1) tokens[used++] = ranks[token] as number;
    }
    tokens.subarray(begin, used).sort();
    starts[k + 1] = used;
  });
  return {
    positions: order.map((r) => candidates[r] as number),
    sizes: order.map((r) => raw.sizes[r] as number),
    starts,
    tokens: tokens.subarray(0, used),
    tokenCount: raw.table.size,
  };
}
