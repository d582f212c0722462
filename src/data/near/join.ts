import { pauseAt } from "../pause.ts";
import type { UnionFind } from "../union-find.ts";
import type { TokenRecords } from "./records.ts";

/** Partners that are listed for one text; more of one component are left out. */
export const LISTED_PARTNERS = 8;
/** Index entries of a text's own component that are looked at before the rest is passed over. */
const PATIENCE = 1000;

/** Two positions of a set whose shingle sets have a Jaccard index of 1/2 or more. */
export interface SimilarPair {
  readonly a: number;
  readonly b: number;
  readonly jaccard: number;
}

/**
 * All pairs of records in different groups with Jaccard ≥ 1/2, exactly, by prefix filtering: when
 * tokens are ordered from rare to common, two records that overlap in o tokens share one among the
 * first |x| - o + 1 of each. A record has at most {@link LISTED_PARTNERS} partners listed that are
 * in its component anyway, so that ten thousand copies of one template do not make fifty million
 * pairs; a pair that joins two components is never left out.
 *
 * @param groups decides which pairs are of interest
 * @param components is joined by every pair found
 */
export async function joinSimilar(
  records: TokenRecords,
  groups: UnionFind,
  components: UnionFind,
): Promise<SimilarPair[]> {
  const { positions, sizes } = records;
  const index = new PrefixIndex(records, components);
  const pairs: SimilarPair[] = [];
  for (const [y, b] of positions.entries()) {
    await pauseAt(y);
    let listed = 0;
    index.probe(y, (x) => {
      const a = positions[x] as number;
      if (groups.find(a) === groups.find(b)) return false;
      const shared = overlap(records, x, y);
      const all = (sizes[x] as number) + (sizes[y] as number);
      if (shared * 3 < all) return false;
      pairs.push({ a, b, jaccard: shared / (all - shared) });
      components.join(a, b);
      return ++listed >= LISTED_PARTNERS;
    });
    index.add(y);
  }
  return pairs;
}

/** Tokens that two records share; 0 as soon as they cannot reach Jaccard 1/2. */
function overlap({ starts, tokens, sizes }: TokenRecords, x: number, y: number): number {
  const needed = Math.ceil(((sizes[x] as number) + (sizes[y] as number)) / 3);
  const [endX, endY] = [starts[x + 1] as number, starts[y + 1] as number];
  let [i, j, shared] = [starts[x] as number, starts[y] as number, 0];
  while (i < endX && j < endY) {
    if (shared + Math.min(endX - i, endY - j) < needed) return 0;
    const [a, b] = [tokens[i] as number, tokens[j] as number];
    if (a === b) shared++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return shared;
}

/** For each token the records that have it in their prefix, smaller ones first. */
class PrefixIndex {
  private readonly records: TokenRecords;
  private readonly components: UnionFind;
  /** Token t's entries are `entries[from[t]]` to `entries[to[t] - 1]`; room is set aside for all. */
  private readonly from: Uint32Array;
  private readonly to: Uint32Array;
  private readonly entries: Uint32Array;
  /** The next entry that may be of another component than this one. */
  private readonly skip: Uint32Array;
  /** The last record that met this one, plus one: two texts share many tokens, and meet at each. */
  private readonly metBy: Uint32Array;

  constructor(records: TokenRecords, components: UnionFind) {
    this.records = records;
    this.components = components;
    this.metBy = new Uint32Array(records.positions.length);
    const ends = new Uint32Array(records.tokenCount + 1);
    for (let r = 0; r < records.positions.length; r++) {
      this.eachIndexed(r, (token) => {
        ends[token + 1] = (ends[token + 1] as number) + 1;
      });
    }
    for (let t = 0; t < records.tokenCount; t++) {
      ends[t + 1] = (ends[t + 1] as number) + (ends[t] as number);
    }
    this.from = ends.slice(0, -1);
    this.to = ends.slice(0, -1);
    this.entries = new Uint32Array(ends.at(-1) ?? 0);
    this.skip = Uint32Array.from(this.entries, (_, at) => at + 1);
  }

  add(record: number): void {
    this.eachIndexed(record, (token) => {
      const at = this.to[token] as number;
      this.entries[at] = record;
      this.to[token] = at + 1;
    });
  }

  /** Records come by size, so partners still to come are no smaller: they share 2/3 of this one. */
  private eachIndexed(record: number, visit: (token: number) => void): void {
    const size = this.records.sizes[record] as number;
    this.eachToken(record, size - Math.ceil((2 * size) / 3), visit);
  }

  /** Tokens up to a place in the order of all of the record's tokens; unshared ones come first. */
  private eachToken(
    record: number,
    last: number,
    visit: (token: number, at: number) => void,
  ): void {
    const { starts, tokens, sizes } = this.records;
    const [begin, end] = [starts[record] as number, starts[record + 1] as number];
    const unshared = (sizes[record] as number) - (end - begin);
    for (let k = begin; k < end && unshared + k - begin <= last; k++) {
      visit(tokens[k] as number, unshared + k - begin);
    }
  }

  /**
   * Visits the indexed records that can be partners of `y`, each once, until `visit` says that y's
   * own component needs no more; those of other components are all visited.
   */
  probe(y: number, visit: (record: number) => boolean): void {
    const { sizes, positions } = this.records;
    const { components, entries, from, to, metBy } = this;
    const size = sizes[y] as number;
    const own = positions[y] as number;
    let isSated = false;
    let looked = 0;
    this.eachToken(y, size - Math.ceil(size / 2), (token, place) => {
      this.dropSmall(token, size / 2);
      const end = to[token] as number;
      // The rest of y from here must hold the whole overlap: size - place ≥ (|x| + size) / 3.
      const most = 2 * size - 3 * place;
      for (let at = from[token] as number; at < end; at++) {
        const x = entries[at] as number;
        if (metBy[x] === y + 1) continue;
        if ((sizes[x] as number) > most) break;
        if (components.find(positions[x] as number) === components.find(own)) {
          if (isSated || looked++ > PATIENCE) {
            at = this.lastOfComponent(token, at);
            continue;
          }
        }
        metBy[x] = y + 1;
        if (visit(x)) isSated = true;
      }
    });
  }

  /** Later records are no smaller than y, so what is too small for y is too small for them. */
  private dropSmall(token: number, least: number): void {
    const { sizes } = this.records;
    let at = this.from[token] as number;
    while (at < (this.to[token] as number) && (sizes[this.entries[at] as number] as number) < least)
      at++;
    this.from[token] = at;
  }

  /** Components only grow, so entries once found to be of one component stay together. */
  private lastOfComponent(token: number, at: number): number {
    const { components, entries, skip } = this;
    const { positions } = this.records;
    const rootAt = (entry: number) =>
      components.find(positions[entries[entry] as number] as number);
    const root = rootAt(at);
    const end = this.to[token] as number;
    let next = skip[at] as number;
    while (next < end && rootAt(next) === root) next = skip[next] as number;
    skip[at] = next;
    return next - 1;
  }
}
