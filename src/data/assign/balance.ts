import { LABELS } from "../../core/intervention.ts";
import { DOMAINS } from "../../core/trace.ts";
import { CELLS, type Unit } from "./units.ts";

/** Targets are kept in sixteenths of a row: whole numbers, so that ties are ties everywhere. */
const SCALE = 16;

/** How good a test side is; less is better, `lost` first. */
export interface Score {
  /** Labels missing from test plus labels missing from train. */
  readonly lost: number;
  /**
   * Squared distances from the share that test should have of each label × domain cell, each
   * label and each domain, summed, in 1/256 rows².
   */
  readonly imbalance: number;
}

/** Whether `a` is better than `b`. */
export function isBetter(a: Score, b: Score): boolean {
  return a.lost < b.lost || (a.lost === b.lost && a.imbalance < b.imbalance);
}

/** Keeps count of the test side while units move, and scores it and its neighbours. */
export class Balance {
  private readonly all: Sums;
  private readonly targets: Sums;
  private readonly test: Sums;

  /**
   * @param all rows of the whole set in each cell
   * @param test rows that are in test for good
   * @param share rows that test will have in the end, of `rows` in all
   */
  constructor(all: readonly number[], test: readonly number[], share: number, rows: number) {
    this.all = new Sums(all);
    this.test = new Sums(test);
    this.targets = this.all.map((count) => Math.floor((SCALE * share * count) / rows));
  }

  move(unit: Unit, sign: 1 | -1): void {
    this.test.add(unit.cells, sign);
  }

  score(): Score {
    const { all, targets, test } = this;
    let lost = 0;
    let imbalance = 0;
    for (let k = 0; k < test.values.length; k++) {
      const count = test.values[k] as number;
      const distance = SCALE * count - (targets.values[k] as number);
      imbalance += distance * distance;
      if (k < LABEL_START || k >= DOMAIN_START) continue;
      const total = all.values[k] as number;
      if (total > 0) lost += (count === 0 ? 1 : 0) + (count === total ? 1 : 0);
    }
    return { lost, imbalance };
  }

  /** The score after some units left test and others came in; nothing is changed. */
  scoreAfter(leaving: readonly Unit[], coming: readonly Unit[]): Score {
    for (const unit of leaving) this.move(unit, -1);
    for (const unit of coming) this.move(unit, 1);
    const score = this.score();
    for (const unit of coming) this.move(unit, -1);
    for (const unit of leaving) this.move(unit, 1);
    return score;
  }
}

const LABEL_START = CELLS;
const DOMAIN_START = CELLS + LABELS.length;

/** Counts by cell, then by label, then by domain. */
class Sums {
  readonly values = new Float64Array(DOMAIN_START + DOMAINS.length);

  constructor(cells: readonly number[]) {
    this.add(cells, 1);
  }

  add(cells: readonly number[], sign: 1 | -1): void {
    const { values } = this;
    for (let cell = 0; cell < CELLS; cell++) {
      const count = (cells[cell] ?? 0) * sign;
      if (count === 0) continue;
      const label = LABEL_START + Math.floor(cell / DOMAINS.length);
      const domain = DOMAIN_START + (cell % DOMAINS.length);
      values[cell] = (values[cell] as number) + count;
      values[label] = (values[label] as number) + count;
      values[domain] = (values[domain] as number) + count;
    }
  }

  map(change: (value: number) => number): Sums {
    const mapped = new Sums([]);
    mapped.values.set(this.values.map(change));
    return mapped;
  }
}
