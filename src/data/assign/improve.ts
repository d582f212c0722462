import { type Balance, isBetter, type Score } from "./balance.ts";
import type { Unit } from "./units.ts";

/** Exchanges that are tried before the search ends: a second or two. */
const MOST_TRIALS = 2e6;
/** With so few units, pairs are exchanged as well as single units. */
const FEW_UNITS = 60;
/** Partners that a unit is tried with when there are many. */
const WINDOW = 64;

/** Units that leave test, and units of as many rows that come in. */
interface Exchange {
  readonly leaving: readonly number[];
  readonly coming: readonly number[];
}

/**
 * Improves a choice by exchanges that keep its number of rows, until none of those tried is
 * better: unit against unit, and with few units also one against two and two against two. A
 * heuristic (best balance is as hard as partitioning), without chance: units are tried in the
 * order given.
 *
 * @param order unit numbers, in an order that carries no meaning
 * @param inTest is changed
 */
export function improve(
  units: readonly Unit[],
  order: readonly number[],
  inTest: Uint8Array,
  balance: Balance,
): void {
  let best = balance.score();
  let trials = MOST_TRIALS;
  for (let isBetterFound = true; isBetterFound && trials > 0; ) {
    isBetterFound = false;
    for (const exchange of exchanges(units, order, inTest)) {
      if (!isCurrent(exchange, inTest)) continue;
      if (trials-- === 0) break;
      const score = tryExchange(units, exchange, balance);
      if (!isBetter(score, best)) continue;
      apply(units, exchange, inTest, balance);
      best = score;
      isBetterFound = true;
    }
  }
}

/** An exchange that was applied moves units that later ones of the same round still name. */
function isCurrent({ leaving, coming }: Exchange, inTest: Uint8Array): boolean {
  return leaving.every((k) => inTest[k] === 1) && coming.every((k) => inTest[k] === 0);
}

function tryExchange(
  units: readonly Unit[],
  { leaving, coming }: Exchange,
  balance: Balance,
): Score {
  const unitsOf = (numbers: readonly number[]) => numbers.map((k) => units[k] as Unit);
  return balance.scoreAfter(unitsOf(leaving), unitsOf(coming));
}

function apply(
  units: readonly Unit[],
  { leaving, coming }: Exchange,
  inTest: Uint8Array,
  balance: Balance,
): void {
  for (const k of leaving) {
    inTest[k] = 0;
    balance.move(units[k] as Unit, -1);
  }
  for (const k of coming) {
    inTest[k] = 1;
    balance.move(units[k] as Unit, 1);
  }
}

function* exchanges(
  units: readonly Unit[],
  order: readonly number[],
  inTest: Uint8Array,
): Generator<Exchange> {
  const test = order.filter((k) => inTest[k] === 1);
  const train = order.filter((k) => inTest[k] === 0);
  const isFew = order.length <= FEW_UNITS;
  const coming = bySize(units, isFew ? withPairs(train) : train.map((k) => [k]));
  for (const [at, leaving] of (isFew ? withPairs(test) : test.map((k) => [k])).entries()) {
    const partners = coming.get(rowsOf(units, leaving)) ?? [];
    // Each unit begins at another place, so that all partners get a turn.
    const tried = isFew ? partners.length : Math.min(WINDOW, partners.length);
    for (let k = 0; k < tried; k++) {
      yield { leaving, coming: partners[(at * WINDOW + k) % partners.length] as number[] };
    }
  }
}

function withPairs(numbers: readonly number[]): number[][] {
  const singles = numbers.map((k) => [k]);
  return singles.concat(numbers.flatMap((a, i) => numbers.slice(i + 1).map((b) => [a, b])));
}

function bySize(units: readonly Unit[], sets: readonly number[][]): Map<number, number[][]> {
  const groups = new Map<number, number[][]>();
  for (const set of sets) {
    const rows = rowsOf(units, set);
    const group = groups.get(rows);
    if (group) group.push(set);
    else groups.set(rows, [set]);
  }
  return groups;
}

function rowsOf(units: readonly Unit[], numbers: readonly number[]): number {
  return numbers.reduce((sum, k) => sum + (units[k]?.rows ?? 0), 0);
}
