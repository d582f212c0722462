import { compareText } from "../core/hash.ts";
import { IdIndex } from "./id-index.ts";
import { familyKey } from "./set-checks.ts";
import type { TraceHead } from "./types.ts";
import { UnionFind } from "./union-find.ts";

/** Traces that a split must keep on one side. */
export interface Component {
  /** Positions in the set, in code-unit order of the ids. */
  readonly members: readonly number[];
  /** The smallest id: it names the component whatever the order of the set. */
  readonly key: string;
}

/**
 * The groups that families and explicit links form. Families whose ids are nearly equal count as
 * one. Domain and topic never join anything: they are strata.
 */
export function familyGroups(heads: readonly TraceHead[]): UnionFind {
  const groups = new UnionFind(heads.length);
  for (const [position, first] of familyFirsts(heads).entries()) groups.join(first, position);
  for (const { from, to } of linkedPairs(heads)) groups.join(from, to);
  return groups;
}

/** For each position the first position of its family, nearly equal families counting as one. */
export function familyFirsts(heads: readonly TraceHead[]): Uint32Array {
  const families = new Map<string, number>();
  const keys = new Map<string, number>();
  return new Uint32Array(heads.length).map((_, position) => {
    const family = heads[position]?.family ?? "";
    const known = families.get(family);
    if (known !== undefined) return known;
    const key = familyKey(family);
    const first = keys.get(key) ?? position;
    keys.set(key, first);
    families.set(family, first);
    return first;
  });
}

/** The explicit links as positions; a link to an id that the set lacks is left out. */
export function linkedPairs(heads: readonly TraceHead[]): { from: number; to: number }[] {
  const pairs: { from: number; to: number }[] = [];
  if (!heads.some(({ links }) => links)) return pairs;
  const index = new IdIndex(heads);
  for (const [from, { links = [] }] of heads.entries()) {
    for (const id of links) {
      const to = index.find(id);
      if (to >= 0) pairs.push({ from, to });
    }
  }
  return pairs;
}

/** The groups as lists, in code-unit order of their keys. */
export function componentsOf(heads: readonly TraceHead[], groups: UnionFind): Component[] {
  const members = new Map<number, number[]>();
  for (let position = 0; position < heads.length; position++) {
    const root = groups.find(position);
    const list = members.get(root);
    if (list) list.push(position);
    else members.set(root, [position]);
  }
  const idOf = (position: number) => heads[position]?.id ?? "";
  return [...members.values()]
    .map((list) => {
      list.sort((a, b) => compareText(idOf(a), idOf(b)));
      return { members: list, key: idOf(list[0] as number) };
    })
    .sort((a, b) => compareText(a.key, b.key));
}
