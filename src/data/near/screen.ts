import { pauseAt } from "../pause.ts";
import type { ScenarioSet } from "../types.ts";
import type { UnionFind } from "../union-find.ts";
import { BitTable } from "./bit-table.ts";
import { comparedText, type Shingler } from "./shingler.ts";
import { enlarged } from "./token-table.ts";

/** Texts that are shingled to guess how many shingles there are. */
const SAMPLE = 256;

/** What one look at every text tells. */
export interface Screening {
  /** Positions, group after group. */
  readonly order: Uint32Array;
  /** Positions of texts half of whose shingles, or more, occur in groups before theirs. */
  readonly later: number[];
  /** Holds every shingle (low lane) that occurs in two groups or more, and some others. */
  readonly shared: BitTable;
  /** Hash of each text's words, two lanes. */
  readonly textLo: Uint32Array;
  readonly textHi: Uint32Array;
}

/** Set and groups, and what reads texts of the set. */
export interface TextSource {
  readonly set: Pick<ScenarioSet, "heads" | "readTrace">;
  readonly groups: UnionFind;
  readonly shingler: Shingler;
  /** Called once for each text read. */
  readonly onText: () => void;
}

/**
 * Finds the texts that can have a near-duplicate in an earlier group, in memory of two bits a
 * shingle. Jaccard of 1/2 or more with any text means that at least half of a text's shingles
 * stand in that text: o ≥ (|x| + |y|) / 3 and |y| ≥ o give o ≥ |x| / 2. The bit tables may see too
 * many shingles, never too few, so no such text is missed; texts written apart are left out here,
 * and that is nearly all of them.
 */
export async function screenTexts(source: TextSource): Promise<Screening> {
  const { set, groups } = source;
  const size = set.heads.length;
  const expected = expectedShingles(source);
  // At most two in five strangers seem seen, well below the half that makes a text a candidate.
  const seen = new BitTable(2 * expected);
  const shared = new BitTable(expected);
  const [textLo, textHi] = [new Uint32Array(size), new Uint32Array(size)];
  const later: number[] = [];
  const order = groupOrder(groups);
  let waiting = new Uint32Array(1 << 12);
  let used = 0;
  let group = -1;
  for (const [done, position] of order.entries()) {
    await pauseAt(done);
    if (groups.find(position) !== group) {
      // A group's own shingles count as seen only for the groups after it.
      for (let k = 0; k < used; k++) seen.add(waiting[k] as number);
      used = 0;
      group = groups.find(position);
    }
    const { lo, count, textLo: low, textHi: high } = shingle(source, position);
    textLo[position] = low;
    textHi[position] = high;
    const hits = countSeen(lo, count, seen, shared);
    if (count > 0 && hits * 2 >= count) later.push(position);
    while (used + count > waiting.length) waiting = enlarged(waiting);
    waiting.set(lo.subarray(0, count), used);
    used += count;
  }
  return { order, later, shared, textLo, textHi };
}

/**
 * Adds to the later texts those of any group that can be the earlier half of a pair with one of
 * them; in group order.
 */
export async function addEarlier(
  source: TextSource,
  { order }: Pick<Screening, "order">,
  later: readonly number[],
): Promise<number[]> {
  const { length } = source.set.heads;
  const isWanted = new Uint8Array(length);
  const table = new BitTable(4 * expectedShingles(source, later));
  for (const [done, position] of later.entries()) {
    await pauseAt(done);
    isWanted[position] = 1;
    const { lo, count } = shingle(source, position);
    for (let k = 0; k < count; k++) table.add(lo[k] as number);
  }
  // In the order of the set, in which texts are read fastest.
  for (let position = 0; position < length; position++) {
    await pauseAt(position);
    if (isWanted[position] === 1) continue;
    const { lo, count } = shingle(source, position);
    if (count > 0 && countSeen(lo, count, table) * 2 >= count) isWanted[position] = 1;
  }
  return Array.from(order.filter((position) => isWanted[position] === 1));
}

/** Reads a text; the result is valid until the next call. */
export function shingle({ set, shingler, onText }: TextSource, position: number): Shingler {
  onText();
  shingler.read(comparedText(set.readTrace(position)));
  return shingler;
}

function countSeen(lo: Uint32Array, count: number, seen: BitTable, shared?: BitTable): number {
  let hits = 0;
  for (let k = 0; k < count; k++) {
    const hash = lo[k] as number;
    if (!seen.has(hash)) continue;
    hits++;
    shared?.add(hash);
  }
  return hits;
}

function expectedShingles({ set, shingler }: TextSource, positions?: readonly number[]): number {
  const size = positions?.length ?? set.heads.length;
  const step = Math.max(1, Math.floor(size / SAMPLE));
  let [sampled, shingles] = [0, 0];
  for (let k = 0; k < size; k += step, sampled++) {
    shingler.read(comparedText(set.readTrace(positions?.[k] ?? k)));
    shingles += shingler.count;
  }
  return sampled === 0 ? 0 : Math.ceil((shingles / sampled) * size);
}

/** All positions, those of one group together. */
function groupOrder(groups: UnionFind): Uint32Array {
  const { size } = groups;
  const next = new Uint32Array(size + 1);
  for (let i = 0; i < size; i++)
    next[groups.find(i) + 1] = (next[groups.find(i) + 1] as number) + 1;
  for (let i = 0; i < size; i++) next[i + 1] = (next[i + 1] as number) + (next[i] as number);
  const order = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    const root = groups.find(i);
    order[next[root] as number] = i;
    next[root] = (next[root] as number) + 1;
  }
  return order;
}
