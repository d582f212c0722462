import { compareText } from "../core/hash.ts";
import { shorten } from "./explain.ts";
import type { FaultList } from "./faults.ts";
import type { TraceHead } from "./types.ts";

/** Names the place of a head in messages. */
export type PlaceOf = (head: TraceHead) => string;

/** Positions of the heads in code-unit order of their ids; equal ids in file order. */
export function orderById(heads: readonly TraceHead[]): Uint32Array {
  const order = Uint32Array.from(heads, (_, i) => i);
  return order.sort((a, b) => compareText(heads[a]?.id ?? "", heads[b]?.id ?? "") || a - b);
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
  const targets = new Set(heads.flatMap((head) => head.links ?? []));
  if (targets.size === 0) return;
  const known = new Set(heads.map(({ id }) => id).filter((id) => targets.has(id)));
  for (const head of heads) {
    head.links?.forEach((id, k) => {
      if (id !== head.id && known.has(id)) return;
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
  const families = new Map<string, TraceHead>();
  for (const head of heads) if (!families.has(head.family)) families.set(head.family, head);
  const byKey = new Map<string, TraceHead[]>();
  for (const head of families.values()) {
    const key = familyKey(head.family);
    const spellings = byKey.get(key);
    if (spellings) spellings.push(head);
    else byKey.set(key, [head]);
  }
  const at = (head: TraceHead) => `${placeOf(head)}:${head.line}`;
  return [...byKey.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    return others.map((head) => {
      const pair = `${shorten(head.family)} is nearly ${shorten(first.family)} (${at(first)})`;
      return `${at(head)}: family: ${pair}; a split keeps both on one side`;
    });
  });
}
