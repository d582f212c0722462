/** How confidences are sorted into bins. */
export type Binning = "equal_width" | "equal_mass";

/** One bin of a reliability table. */
export interface ReliabilityBin {
  /** Equal width: the bin's edges. Equal mass: its smallest and largest confidence. */
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** Mean confidence; null for an empty bin. */
  readonly confidence: number | null;
  /** Share that is right; null for an empty bin. */
  readonly accuracy: number | null;
}

/** A confidence, and 1 if the pick was right, else 0. */
export interface Item {
  readonly p: number;
  readonly right: number;
}

/** The items in bins; see `ece` for the two rules. `items` must come in ascending order of p. */
export function reliabilityTable(
  items: readonly Item[],
  bins: number,
  binning: Binning,
): ReliabilityBin[] {
  return binning === "equal_width" ? equalWidth(items, bins) : equalMass(items, bins);
}

function equalWidth(items: readonly Item[], bins: number): ReliabilityBin[] {
  const parts = Array.from({ length: bins }, (): Item[] => []);
  let bin = 0;
  for (const item of items) {
    while (item.p > (bin + 1) / bins) bin++;
    (parts[bin] as Item[]).push(item);
  }
  return parts.map((part, b) => summarise(part, b / bins, (b + 1) / bins));
}

function equalMass(items: readonly Item[], bins: number): ReliabilityBin[] {
  const table: ReliabilityBin[] = [];
  let start = 0;
  for (let bin = 1; bin <= bins && start < items.length; bin++) {
    let end = Math.floor((bin * items.length) / bins);
    if (end <= start) continue;
    while (end < items.length && items[end]?.p === items[end - 1]?.p) end++;
    const part = items.slice(start, end);
    table.push(summarise(part, part[0]?.p ?? 0, part.at(-1)?.p ?? 0));
    start = end;
  }
  return table;
}

function summarise(part: readonly Item[], low: number, high: number): ReliabilityBin {
  const count = part.length;
  if (count === 0) return { low, high, count, confidence: null, accuracy: null };
  const total = part.reduce((sum, item) => sum + item.p, 0);
  const right = part.reduce((sum, item) => sum + item.right, 0);
  return { low, high, count, confidence: total / count, accuracy: right / count };
}
