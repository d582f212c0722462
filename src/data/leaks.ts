import type { Fault } from "../core/errors.ts";
import { familyFirsts, linkedPairs } from "./lineage.ts";
import type { NearEdge } from "./near/near-duplicates.ts";
import type { ScenarioSet, TraceHead } from "./types.ts";

/** Two traces on different sides that lineage ties together. */
export interface Leak {
  readonly kind: "family" | "link" | "equal" | "near";
  /** Positions in the set. */
  readonly train: number;
  readonly test: number;
  /** Of the texts; for `equal` and `near`. */
  readonly jaccard?: number;
}

/**
 * What straddles a split: for each family on both sides one pair, and every link and every edge
 * of {@link NearEdge} whose ends are apart.
 *
 * @param inTest 1 for test, 0 for train, for each position
 */
export function findLeaks(
  { heads }: Pick<ScenarioSet, "heads">,
  inTest: Uint8Array,
  edges: readonly NearEdge[],
): Leak[] {
  const apart = (a: number, b: number, rest: Pick<Leak, "kind" | "jaccard">): Leak[] => {
    if (inTest[a] === inTest[b]) return [];
    return [inTest[a] === 1 ? { ...rest, test: a, train: b } : { ...rest, test: b, train: a }];
  };
  return [
    ...straddlingFamilies(heads, inTest),
    ...linkedPairs(heads).flatMap(({ from, to }) => apart(from, to, { kind: "link" })),
    ...edges.flatMap(({ a, b, jaccard, equal }) =>
      apart(a, b, { kind: equal ? "equal" : "near", jaccard }),
    ),
  ];
}

/** A leak as a fault at its test row. */
export function leakFault({ heads }: Pick<ScenarioSet, "heads">, leak: Leak): Fault {
  const [test, train] = [heads[leak.test] as TraceHead, heads[leak.train] as TraceHead];
  const place = `${train.file}:${train.line}`;
  return {
    file: test.file,
    line: test.line,
    message: `${describe(leak, test)}: test holds ${test.id}, train holds ${train.id} (${place})`,
  };
}

function describe({ kind, jaccard }: Leak, { family }: TraceHead): string {
  switch (kind) {
    case "family":
      return `family ${family} straddles the split`;
    case "link":
      return "a link straddles the split";
    case "equal":
      return "equal texts straddle the split";
    case "near":
      return `near-duplicates (Jaccard ${(jaccard ?? 0).toFixed(2)}) straddle the split`;
  }
}

function straddlingFamilies(heads: readonly TraceHead[], inTest: Uint8Array): Leak[] {
  const families = familyFirsts(heads);
  /** By family: position + 1 of its first trace on each side. */
  const firsts = { train: new Uint32Array(heads.length), test: new Uint32Array(heads.length) };
  families.forEach((family, position) => {
    const side = inTest[position] === 1 ? firsts.test : firsts.train;
    if (side[family] === 0) side[family] = position + 1;
  });
  const leaks: Leak[] = [];
  for (const [family, first] of firsts.test.entries()) {
    const train = (firsts.train[family] ?? 0) - 1;
    if (first > 0 && train >= 0) leaks.push({ kind: "family", train, test: first - 1 });
  }
  return leaks;
}
