import { sha256Mod } from "../../core/hash.ts";
import { LABELS } from "../../core/intervention.ts";
import { Balance } from "./balance.ts";
import {
  type ClassCounts,
  chooseCounts,
  LIMITS,
  NO_LIMITS,
  type SizeRequest,
  type UnitClass,
} from "./class-counts.ts";
import { improve } from "./improve.ts";
import { systematicSample } from "./systematic.ts";
import { CELLS, labelBits, sumCells, type Unit } from "./units.ts";

/** A label of at most so many units is watched when the exact search cannot watch all labels. */
const RARE = 64;

/** What is to be assigned. */
export interface Assignment {
  /** Units that may go to either side, in an order that carries no meaning. */
  readonly units: readonly Unit[];
  /** Rows of each cell that are on a side already. */
  readonly fixed: { readonly test: readonly number[]; readonly train: readonly number[] };
  /** Rows that test should have, those fixed included. */
  readonly target: number;
  readonly seed: string;
}

/** A choice of units for test. */
export interface Assigned {
  /** 1 for each unit that goes to test. */
  readonly inTest: Uint8Array;
  /** Rows of test, those fixed included. */
  readonly rows: number;
  /** Whether all choices of units were searched for labels kept on both sides. */
  readonly isExact: boolean;
}

/**
 * Chooses whole units for test. In order of importance: neither side empty, a size as near to the
 * target as any choice gives, labels kept on both sides, balance of label × domain.
 *
 * @returns null when every choice leaves a side empty
 */
export function assignUnits({ units, fixed, target, seed }: Assignment): Assigned | null {
  const fixedTest = sum(fixed.test);
  const fixedTrain = sum(fixed.train);
  const free = units.reduce((rows, unit) => rows + unit.rows, 0);
  const request: SizeRequest = {
    target: target - fixedTest,
    least: fixedTest > 0 ? 0 : 1,
    most: fixedTrain > 0 ? free : free - 1,
    inTest: labelBits(fixed.test),
    inTrain: labelBits(fixed.train),
  };
  for (const watched of watchLists(units)) {
    const limits = watched === 0 ? NO_LIMITS : LIMITS;
    const classes = classify(units, watched);
    const chosen = chooseCounts(
      classes.map(({ rows, labels, members }) => ({ rows, labels, units: members.length })),
      { ...request, inTest: request.inTest & watched, inTrain: request.inTrain & watched },
      limits,
    );
    if (chosen === null) return null;
    if (chosen === undefined) continue;
    const inTest = pick(units, classes, chosen, seed);
    const rows = fixedTest + chosen.rows;
    const all = sumCells([
      ...units,
      { cells: fixed.test, rows: 0 },
      { cells: fixed.train, rows: 0 },
    ]);
    const balance = new Balance(all, fixed.test, rows, fixedTest + fixedTrain + free);
    for (const [k, unit] of units.entries()) if (inTest[k] === 1) balance.move(unit, 1);
    improve(units, [...units.keys()], inTest, balance);
    return { inTest, rows, isExact: watched === ALL_LABELS };
  }
  return null;
}

const ALL_LABELS = 2 ** LABELS.length - 1;

/** Labels to keep account of in the exact search: all, else the rare ones, else none. */
function watchLists(units: readonly Unit[]): number[] {
  const counts = LABELS.map(() => 0);
  for (const { cells } of units) {
    const bits = labelBits(cells);
    for (const label of counts.keys()) counts[label] = (counts[label] ?? 0) + ((bits >> label) & 1);
  }
  const rare = counts.reduce((bits, count, label) => bits | (count <= RARE ? 1 << label : 0), 0);
  return [ALL_LABELS, rare, 0];
}

interface Members extends Omit<UnitClass, "units"> {
  /** Unit numbers. */
  readonly members: readonly number[];
}

function classify(units: readonly Unit[], watched: number): Members[] {
  const classes = new Map<number, { rows: number; labels: number; members: number[] }>();
  for (const [k, { rows, cells }] of units.entries()) {
    const labels = labelBits(cells) & watched;
    const key = rows * (ALL_LABELS + 1) + labels;
    const found = classes.get(key);
    if (found) found.members.push(k);
    else classes.set(key, { rows, labels, members: [k] });
  }
  return [...classes].sort(([a], [b]) => a - b).map(([, each]) => each);
}

/** Samples each class systematically, alike units side by side, so that every kind gets its share. */
function pick(
  units: readonly Unit[],
  classes: readonly Members[],
  { counts }: ClassCounts,
  seed: string,
): Uint8Array {
  const inTest = new Uint8Array(units.length);
  for (const [c, { rows, labels, members }] of classes.entries()) {
    const count = counts[c] ?? 0;
    const sorted = members.toSorted((a, b) => compareUnits(units[a], units[b]) || a - b);
    const start = sha256Mod(JSON.stringify([seed, "split-start", rows, labels]), members.length);
    for (const place of systematicSample(members.length, count, start)) {
      inTest[sorted[place] as number] = 1;
    }
  }
  return inTest;
}

function compareUnits(a: Unit | undefined, b: Unit | undefined): number {
  for (let cell = 0; cell < CELLS; cell++) {
    const difference = (a?.cells[cell] ?? 0) - (b?.cells[cell] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
