import { compareText } from "../core/hash.ts";
import { shorten } from "./explain.ts";
import type { FaultList } from "./faults.ts";
import { IdIndex } from "./id-index.ts";
import type { TraceHead } from "./types.ts";

/** Names the place of a head in messages. */
export type PlaceOf = (head: TraceHead) => string;

/** Orders that were computed, for as long as their heads are in use. */
const orders = new WeakMap<readonly TraceHead[], Uint32Array>();

/** Positions of the heads in code-unit order of their ids; equal ids in file order. */
export function orderById(heads: readonly TraceHead[]): Uint32Array {
  const known = orders.get(heads);
  if (known) return known;
  const order = new Uint32Array(heads.length).map((_, k) => k);
  order.sort((a, b) => compareText(heads[a]?.id ?? "", heads[b]?.id ?? "") || a - b);
  orders.set(heads, order);
  return order;
}

/** Pairs of rows with one id: each later row with the first of its id, in file order. */
export function duplicateIds(
  heads: readonly TraceHead[],
  order: Uint32Array,
): { first: TraceHead; again: TraceHead }[] {
  const pairs: { first: TraceHead; again: TraceHead; at: number }[] = [];
  let first: TraceHead | undefined;
  for (const at of order) {
    const head = heads[at];
    if (head && first && head.id === first.id) pairs.push({ first, again: head, at });
    else first = head;
  }
  return pairs.sort((a, b) => a.at - b.at);
}

/** Adds a fault for every link to the trace itself or to an id that the set does not have. */
export function checkLinks(heads: readonly TraceHead[], placeOf: PlaceOf, faults: FaultList): void {
  if (!heads.some(({ links }) => links)) return;
  const index = new IdIndex(heads);
  for (const head of heads) {
    head.links?.forEach((id, k) => {
      if (id !== head.id && index.find(id) >= 0) return;
      const message =
        id === head.id ? "links to the trace itself" : "no trace of the set has this id";
      const path = `links[${k}]`;
      faults.add({
        file: placeOf(head),
        line: head.line,
        path,
        message: `${shorten(id)}: ${message}`,
      });
    });
  }
}

/**
 * A family id as a careless hand might write it: without case, invisible characters and the kind
 * of separator. Families with equal keys are kept on one side of a split, since a misspelt family
 * would otherwise leak without a sign.
 */
export function familyKey(family: string): string {
  return family
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .replace(/[\s_\-./:]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** A warning for every family whose id is nearly another's. */
export function nearFamilies(heads: readonly TraceHead[], placeOf: PlaceOf): string[] {
  const families = new Set<string>();
  const firsts = new Map<string, TraceHead>();
  const at = (head: TraceHead) => `${placeOf(head)}:${head.line}`;
  const warnings: string[] = [];
  for (const head of heads) {
    if (families.has(head.family)) continue;
    families.add(head.family);
    const key = familyKey(head.family);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, head);
    else {
      const pair = `${shorten(head.family)} is nearly ${shorten(first.family)} (${at(first)})`;
      warnings.push(`${at(head)}: family: ${pair}; a split keeps both on one side`);
    }
  }
  return warnings;
}
