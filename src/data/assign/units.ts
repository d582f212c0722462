import { LABELS } from "../../core/intervention.ts";
import { DOMAINS } from "../../core/trace.ts";
import type { TraceHead } from "../types.ts";

/** Number of label × domain cells. */
export const CELLS = LABELS.length * DOMAINS.length;

/** The cell of a trace: label × number of domains + domain. */
export function cellOf({ label, domain }: Pick<TraceHead, "label" | "domain">): number {
  return LABELS.indexOf(label) * DOMAINS.length + DOMAINS.indexOf(domain);
}

/** What is assigned as a whole. */
export interface Unit {
  /** Rows in each cell. */
  readonly cells: readonly number[];
  readonly rows: number;
}

/** The unit that some traces make together. */
export function toUnit(heads: readonly TraceHead[], members: readonly number[]): Unit {
  const cells = new Array<number>(CELLS).fill(0);
  for (const position of members) {
    const head = heads[position];
    if (head) cells[cellOf(head)] = (cells[cellOf(head)] ?? 0) + 1;
  }
  return { cells, rows: members.length };
}

/** The units of many components; alike ones are one object, since most are alike. */
export function toUnits(
  heads: readonly TraceHead[],
  components: readonly { readonly members: readonly number[] }[],
): Unit[] {
  const known = new Map<string, Unit>();
  return components.map(({ members }) => {
    const unit = toUnit(heads, members);
    const key = unit.cells.join();
    const alike = known.get(key);
    if (alike) return alike;
    known.set(key, unit);
    return unit;
  });
}

/** Rows in each cell of several units together. */
export function sumCells(units: Iterable<Unit>): number[] {
  const sums = new Array<number>(CELLS).fill(0);
  for (const { cells } of units) {
    for (let cell = 0; cell < CELLS; cell++) sums[cell] = (sums[cell] ?? 0) + (cells[cell] ?? 0);
  }
  return sums;
}

/** Bit l is set when a cell of label l has rows. */
export function labelBits(cells: readonly number[]): number {
  let bits = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    if ((cells[cell] ?? 0) > 0) bits |= 1 << Math.floor(cell / DOMAINS.length);
  }
  return bits;
}
