import { Bits } from "./bits.ts";

/** Units that are alike for the question which sizes and labels a choice can have. */
export interface UnitClass {
  /** Rows of each unit. */
  readonly rows: number;
  /** Bit l is set when each unit has label l. */
  readonly labels: number;
  /** Number of units. */
  readonly units: number;
}

/** What is asked of a choice. */
export interface SizeRequest {
  /** Rows to choose. */
  readonly target: number;
  /** Fewest and most rows allowed. */
  readonly least: number;
  readonly most: number;
  /** Labels (bits) that test and train have already. */
  readonly inTest: number;
  readonly inTrain: number;
}

/** Units of each class to choose, and the rows they make. */
export interface ClassCounts {
  readonly counts: readonly number[];
  readonly rows: number;
}

/** How much the search may take. */
export interface Limits {
  /** Word operations. */
  readonly work: number;
  /** Bytes of the tables. */
  readonly memory: number;
}

/** About a second. */
export const LIMITS: Limits = { work: 4e8, memory: 2 ** 28 };

export const NO_LIMITS: Limits = {
  work: Number.POSITIVE_INFINITY,
  memory: Number.POSITIVE_INFINITY,
};

/** State: labels that test has × 32 + labels that train has. For each the sums that reach it. */
type Layer = Map<number, Bits>;

/**
 * How many units of each class to choose so that the rows come as near to the target as any choice
 * can, and, of such choices, one that leaves the most labels on both sides. Exact: bounded
 * subset sums, with the labels that each side has so far as a state. Among equally good choices
 * each class gives its proportional share, as nearly as it can.
 *
 * @returns null when no sum is allowed, `undefined` when it would take more than the limits
 */
export function chooseCounts(
  classes: readonly UnitClass[],
  request: SizeRequest,
  limits: Limits,
): ClassCounts | null | undefined {
  const total = classes.reduce((sum, { rows, units }) => sum + rows * units, 0);
  const layers = fillLayers(classes, request, total + 1, limits);
  if (layers === undefined) return undefined;
  const rows = nearestSum(layers.at(-1) ?? new Map(), request);
  if (rows === undefined) return null;
  return { counts: traceBack(classes, layers, rows), rows };
}

function fillLayers(
  classes: readonly UnitClass[],
  { inTest, inTrain }: SizeRequest,
  size: number,
  limits: Limits,
): Layer[] | undefined {
  const start = new Bits(size);
  start.add(0);
  let layer: Layer = new Map([[inTest * 32 + inTrain, start]]);
  const layers = [layer];
  let [work, memory] = [0, 0];
  for (const unitClass of classes) {
    const next: Layer = new Map();
    for (const [state, sums] of layer) {
      work += (size / 32) * (4 + Math.log2(unitClass.units));
      if (work > limits.work) return undefined;
      extend(next, state, sums, unitClass);
    }
    memory += (next.size * size) / 8;
    if (memory > limits.memory) return undefined;
    layer = next;
    layers.push(layer);
  }
  return layers;
}

/** All numbers of units from none to all; only whether it is none, some or all matters for labels. */
function extend(next: Layer, state: number, sums: Bits, { rows, labels, units }: UnitClass): void {
  const into = (chosen: number, from: Bits, shift: number) => {
    const key = stateAfter(state, labels, chosen, units);
    const target = next.get(key) ?? new Bits(sums.size);
    target.addShifted(from, shift);
    next.set(key, target);
  };
  into(0, sums, 0);
  into(units, sums, units * rows);
  if (units < 2) return;
  // sums of 1 to units - 1 units: doubling the covered range takes few shifts.
  const some = sums.copy();
  for (let covered = 1; covered < units - 1; ) {
    const step = Math.min(covered, units - 1 - covered);
    some.addShifted(some, step * rows);
    covered += step;
  }
  into(1, some, rows);
}

function stateAfter(state: number, labels: number, chosen: number, units: number): number {
  const test = chosen > 0 ? labels : 0;
  const train = chosen < units ? labels : 0;
  return state | (test * 32) | train;
}

/** The reachable sum nearest to the target, the smaller one of two. */
function nearestSum(layer: Layer, { target, least, most }: SizeRequest): number | undefined {
  const isReachable = (sum: number) =>
    sum >= least && sum <= most && [...layer.values()].some((sums) => sums.has(sum));
  const farthest = Math.max(target - least, most - target);
  for (let distance = 0; distance <= farthest; distance++) {
    if (isReachable(target - distance)) return target - distance;
    if (isReachable(target + distance)) return target + distance;
  }
  return undefined;
}

function traceBack(
  classes: readonly UnitClass[],
  layers: readonly Layer[],
  rows: number,
): number[] {
  let sum = rows;
  let state = bestState(layers.at(-1) ?? new Map(), sum);
  let before = classes.reduce((all, each) => all + each.rows * each.units, 0);
  const counts = classes.map(() => 0);
  for (let k = classes.length - 1; k >= 0; k--) {
    const unitClass = classes[k] as UnitClass;
    const step = bestStep(layers[k] as Layer, unitClass, state, sum, before);
    counts[k] = step.chosen;
    sum -= step.chosen * unitClass.rows;
    state = step.state;
    before -= unitClass.rows * unitClass.units;
  }
  return counts;
}

/** Of the states that reach the sum, the one with most labels on both sides; then most in test. */
function bestState(layer: Layer, sum: number): number {
  const states = [...layer].filter(([, sums]) => sums.has(sum)).map(([state]) => state);
  states.sort(
    (a, b) => bitCount(b) - bitCount(a) || bitCount(b >>> 5) - bitCount(a >>> 5) || a - b,
  );
  return states[0] ?? 0;
}

/** The last class's number of units that lies nearest to its share of the sum. */
function bestStep(
  previous: Layer,
  { rows, labels, units }: UnitClass,
  state: number,
  sum: number,
  total: number,
): { chosen: number; state: number } {
  let best = { chosen: 0, state: 0 };
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const [from, sums] of [...previous].sort(([a], [b]) => a - b)) {
    for (let chosen = 0; chosen <= units; chosen++) {
      const distance = Math.abs(chosen * total - units * sum);
      if (distance >= bestDistance || !sums.has(sum - chosen * rows)) continue;
      if (stateAfter(from, labels, chosen, units) !== state) continue;
      best = { chosen, state: from };
      bestDistance = distance;
    }
  }
  return best;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest > 0; rest &= rest - 1) count++;
  return count;
}
