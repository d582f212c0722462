import { compareText } from "../core/hash.ts";
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
  const families = new Map<string, number>();
  const keys = new Map<string, number>();
  for (const [position, { family }] of heads.entries()) {
    const first = families.get(family);
    if (first !== undefined) groups.join(first, position);
    else {
      families.set(family, position);
      const key = familyKey(family);
      const twin = keys.get(key);
      if (twin === undefined) keys.set(key, position);
      else groups.join(twin, position);
    }
  }
  for (const { from, to } of linkedPairs(heads)) groups.join(from, to);
  return groups;
}

/** The explicit links as positions; a link to an id that the set lacks is left out. */
export function linkedPairs(heads: readonly TraceHead[]): { from: number; to: number }[] {
  const targets = new Set(heads.flatMap(({ links = [] }) => links));
  if (targets.size === 0) return [];
  const positions = new Map<string, number>();
  for (const [position, { id }] of heads.entries())
    if (targets.has(id)) positions.set(id, position);
  return heads.flatMap(({ links = [] }, from) =>
    links.flatMap((id) => {
      const to = positions.get(id);
      return to === undefined ? [] : [{ from, to }];
    }),
  );
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
