import { formatFault, SteerError } from "../core/errors.ts";
import { orderByHash } from "../core/hash.ts";
import { assignUnits } from "./assign/assign.ts";
import { sampleTraces } from "./assign/sample-traces.ts";
import { sumCells, toUnit, toUnits, type Unit } from "./assign/units.ts";
import { type Carried, carryOver } from "./extend.ts";
import { findLeaks, leakFault } from "./leaks.ts";
import { type Component, componentsOf, familyGroups } from "./lineage.ts";
import type { NearEdge } from "./near/near-duplicates.ts";
import type { Part, ScenarioSet, Split } from "./types.ts";

/** What decides on which side each trace goes. */
export interface SideRequest {
  readonly set: ScenarioSet;
  /** Rows of test. */
  readonly requested: number;
  readonly seed: string;
  readonly edges: readonly NearEdge[];
  readonly extend: Split | undefined;
}

/** The sides of a new split. */
export interface Sides {
  /** 1 for test, 0 for train, for each position. */
  readonly inTest: Uint8Array;
  /** Whether no other choice of as many rows keeps more labels on both sides. */
  readonly isExact: boolean;
  readonly warnings: readonly string[];
}

/** Straddling near-duplicates that a warning names. */
const NAMED_LEAKS = 20;

const NOTHING_CARRIED: Carried = { sides: new Map(), warnings: [] };

/** Assigns lineage components as wholes. */
export function sidesByFamily({ set, requested, seed, edges, extend }: SideRequest): Sides {
  const { name, heads } = set;
  const groups = familyGroups(heads);
  for (const { a, b } of edges) groups.join(a, b);
  const components = componentsOf(heads, groups);
  if (components.length < 2) {
    throw new SteerError(
      "impossible",
      `${name}: cannot be split: families, links and near-duplicates tie all ${heads.length} traces together`,
    );
  }
  const carried = extend ? carryOver(set, extend, "family", components) : NOTHING_CARRIED;
  const order = inSeededOrder(components, seed).filter(
    ({ members }) => !members.some((position) => carried.sides.has(position)),
  );
  const units = toUnits(heads, order);
  const fixed = fixedCells(set, carried);
  const assigned = assignUnits({ units, fixed, target: requested, seed });
  if (assigned === null) {
    throw new SteerError("impossible", `${name}: every choice of components leaves a side empty`);
  }
  const inTest = carriedSides(set, carried);
  for (const [k, { members }] of order.entries()) {
    if (assigned.inTest[k] === 1) for (const position of members) inTest[position] = 1;
  }
  return { inTest, isExact: assigned.isExact, warnings: carried.warnings };
}

/** Samples single traces; what lineage would have kept together becomes warnings. */
export function sidesByTrace({ set, requested, seed, edges, extend }: SideRequest): Sides {
  const { heads } = set;
  const singles = heads.map((_, position) => ({ members: [position] }));
  const carried = extend ? carryOver(set, extend, "trace", singles) : NOTHING_CARRIED;
  const inTest = carriedSides(set, carried);
  const free = [...heads.keys()].filter((position) => !carried.sides.has(position));
  const missing = requested - inTest.reduce((sum, side) => sum + side, 0);
  const count = Math.min(free.length, Math.max(0, missing));
  sampleTraces(heads, free, count, seed, inTest);
  return {
    inTest,
    isExact: true,
    warnings: [...carried.warnings, ...leakWarnings(set, inTest, edges)],
  };
}

function inSeededOrder(components: readonly Component[], seed: string): Component[] {
  return orderByHash(components, ({ key }) => key, JSON.stringify([seed, "split"]));
}

function carriedSides({ heads }: ScenarioSet, { sides }: Carried): Uint8Array {
  const inTest = new Uint8Array(heads.length);
  for (const [position, part] of sides) if (part === "test") inTest[position] = 1;
  return inTest;
}

function fixedCells({ heads }: ScenarioSet, { sides }: Carried): Record<Part, readonly number[]> {
  const unitOf = (wanted: Part): Unit => {
    const members = [...sides].filter(([, part]) => part === wanted).map(([position]) => position);
    return toUnit(heads, members);
  };
  return { test: sumCells([unitOf("test")]), train: sumCells([unitOf("train")]) };
}

function leakWarnings(set: ScenarioSet, inTest: Uint8Array, edges: readonly NearEdge[]): string[] {
  const leaks = findLeaks(set, inTest, edges);
  const families = leaks.filter(({ kind }) => kind === "family").length;
  const others = leaks.filter(({ kind }) => kind !== "family");
  const rest = others.length - NAMED_LEAKS;
  return [
    ...(families > 0 ? [`${families} families have traces on both sides`] : []),
    ...others.slice(0, NAMED_LEAKS).map((leak) => formatFault(leakFault(set, leak))),
    ...(rest > 0 ? [`${rest} more pairs straddle the split`] : []),
  ];
}
