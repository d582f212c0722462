/**
 * Cost of a slice: some fifty short answers, or 16 KiB in long ones. The slowest to read take half
 * a millisecond for each KiB; a longer answer is a slice of its own.
 */
const SLICE_COST = 128;
/** Characters that cost as much as one more answer. */
const CHARACTERS = 128;

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
    const cost = costOf(item);
    if (spent > 0 && spent + cost > SLICE_COST) {
      spent = 0;
      await new Promise((resolve) => setImmediate(resolve));
      if (isStopped()) return null;
    }
    results.push(work(item));
    spent += cost;
  }
  return results;
}

/** What scoring a received item costs. */
export function itemCost(item: unknown): number {
  const { answer, prompt } = Object(item) as { answer?: unknown; prompt?: unknown };
  return 1 + (lengthOf(answer) + lengthOf(prompt)) / CHARACTERS;
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}
