import { compareText, sha256Hex, sha256Mod } from "../../core/hash.ts";
import { byLabel, LABELS, type Label } from "../../core/intervention.ts";
import type { TraceHead } from "../types.ts";
import { systematicSample } from "./systematic.ts";
import { cellOf } from "./units.ts";

/**
 * Chooses single traces for test, whatever their families: ordered by label, domain and sha256 of
 * the id, every n-th is taken, from a start that the seed decides. The size is exact and each
 * label gets its share, to the row. A label that would miss one side is then exchanged for a
 * trace of another label, when the result misses fewer.
 *
 * @param free positions to choose from
 * @param count how many to choose
 * @param inTest 1 for positions in test; those of `free` are set
 */
export function sampleTraces(
  heads: readonly TraceHead[],
  free: readonly number[],
  count: number,
  seed: string,
  inTest: Uint8Array,
): void {
  if (free.length === 0) return;
  const order = inSamplingOrder(heads, free);
  const start = sha256Mod(JSON.stringify([seed, "split-start"]), order.length);
  for (const place of systematicSample(order.length, count, start)) {
    inTest[order[place] as number] = 1;
  }
  keepLabels(heads, order, inTest);
}

function inSamplingOrder(heads: readonly TraceHead[], free: readonly number[]): number[] {
  const keys = free.map((position) => {
    const head = heads[position] as TraceHead;
    return { position, cell: cellOf(head), hash: sha256Hex(head.id) };
  });
  keys.sort((a, b) => a.cell - b.cell || compareText(a.hash, b.hash));
  return keys.map(({ position }) => position);
}

/** Traces of one label: all, those in test, and those of each side that may move. */
interface Count {
  readonly all: number;
  readonly test: number;
  readonly freeTest: number;
  readonly freeTrain: number;
}

type Counts = Readonly<Record<Label, Count>>;

/** Sides that labels are missing from. */
function lostIn(counts: Counts): number {
  return LABELS.reduce((lost, label) => {
    const { all, test } = counts[label];
    return all === 0 ? lost : lost + (test === 0 ? 1 : 0) + (test === all ? 1 : 0);
  }, 0);
}

function keepLabels(heads: readonly TraceHead[], order: readonly number[], inTest: Uint8Array) {
  let counts = countLabels(heads, order, inTest);
  for (let best = bestExchange(counts); best !== null; best = bestExchange(counts)) {
    const { comes, leaves } = best;
    const find = (label: Label, side: number) =>
      order.find((position) => heads[position]?.label === label && inTest[position] === side);
    inTest[find(comes, 0) ?? -1] = 1;
    inTest[find(leaves, 1) ?? -1] = 0;
    counts = exchanged(counts, comes, leaves);
  }
}

function countLabels(
  heads: readonly TraceHead[],
  free: readonly number[],
  inTest: Uint8Array,
): Counts {
  const counts = byLabel(() => ({ all: 0, test: 0, freeTest: 0, freeTrain: 0 }));
  for (const [position, { label }] of heads.entries()) {
    counts[label].all++;
    counts[label].test += inTest[position] ?? 0;
  }
  for (const position of free) {
    const label = heads[position]?.label as Label;
    counts[label][inTest[position] === 1 ? "freeTest" : "freeTrain"]++;
  }
  return counts;
}

function exchanged(counts: Counts, comes: Label, leaves: Label): Counts {
  const moved = ({ all, test, freeTest, freeTrain }: Count, by: 1 | -1): Count => {
    return { all, test: test + by, freeTest: freeTest + by, freeTrain: freeTrain - by };
  };
  return { ...counts, [comes]: moved(counts[comes], 1), [leaves]: moved(counts[leaves], -1) };
}

/** The exchange of two labels after which fewest sides miss one; null when none is better. */
function bestExchange(counts: Counts): { comes: Label; leaves: Label } | null {
  let best: { comes: Label; leaves: Label } | null = null;
  let [bestLost, bestSurplus] = [lostIn(counts), 0];
  for (const comes of LABELS) {
    for (const leaves of LABELS) {
      const [to, from] = [counts[comes], counts[leaves]];
      if (comes === leaves || to.freeTrain === 0 || from.freeTest === 0) continue;
      const lost = lostIn(exchanged(counts, comes, leaves));
      // Of equally good exchanges, from the label with most in test to the one with most in train.
      const surplus = from.test + to.all - to.test;
      if (lost > bestLost || (lost === bestLost && (best === null || surplus <= bestSurplus)))
        continue;
      best = { comes, leaves };
      [bestLost, bestSurplus] = [lost, surplus];
    }
  }
  return best;
}
