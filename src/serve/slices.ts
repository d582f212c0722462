/** Cost of a slice: as many short answers, or the like in long ones, as take a millisecond or so. */
const SLICE_COST = 128;
/** Characters that cost as much as one more answer. */
const CHARACTERS = 1024;

/** How {@link mapInSlices} goes about it. */
export interface SliceOptions<Item, Result> {
  readonly work: (item: Item) => Result;
  readonly costOf: (item: Item) => number;
  /** Asked between slices; once true, nothing more is done. */
  readonly isStopped: () => boolean;
}

/**
 * Works through a batch in slices and lets the event loop turn between them, so that no batch
 * holds up the others. Results keep the order of the items.
 *
 * @returns null when stopped
 */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  { work, costOf, isStopped }: SliceOptions<Item, Result>,
): Promise<Result[] | null> {
  const results: Result[] = [];
  let spent = 0;
  for (const item of items) {
    if (spent >= SLICE_COST) {
      spent = 0;
      await new Promise((resolve) => setImmediate(resolve));
      if (isStopped()) return null;
    }
    results.push(work(item));
    spent += costOf(item);
  }
  return results;
}

/** What scoring a received item costs. */
export function itemCost(item: unknown): number {
  const { answer } = Object(item) as { answer?: unknown };
  return typeof answer === "string" ? 1 + answer.length / CHARACTERS : 1;
}
