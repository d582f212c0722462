/**
 * Passes rows on in the order of their places, each as soon as all before it are there: a model
 * may finish requests in any order, a run's bytes must not depend on it, and an answer that is
 * stored is an answer that a kill cannot lose. Where the work ends early, {@link flush} passes on
 * the rest.
 */
export class InOrder<Row> {
  readonly #append: (rows: readonly Row[]) => void;
  readonly #waiting = new Map<number, readonly Row[]>();
  #next = 0;

  constructor(append: (rows: readonly Row[]) => void) {
    this.#append = append;
  }

  /** Takes the rows of one place; a second time they are ignored. */
  put(place: number, rows: readonly Row[]): void {
    this.putAll([[place, rows]]);
  }

  /** Takes the rows of several places, and passes on what is ready in one piece. */
  putAll(entries: Iterable<readonly [place: number, rows: readonly Row[]]>): void {
    for (const [place, rows] of entries) {
      if (place >= this.#next) this.#waiting.set(place, rows);
    }
    const ready: Row[] = [];
    for (let rows = this.#take(); rows; rows = this.#take()) ready.push(...rows);
    if (ready.length > 0) this.#append(ready);
  }

  /** Passes on the rows that wait for others, in the order of their places. */
  flush(): void {
    const places = [...this.#waiting.keys()].sort((a, b) => a - b);
    const rows = places.flatMap((place) => this.#waiting.get(place) ?? []);
    this.#waiting.clear();
    if (rows.length > 0) this.#append(rows);
  }

  #take(): readonly Row[] | undefined {
    const rows = this.#waiting.get(this.#next);
    if (rows) this.#waiting.delete(this.#next++);
    return rows;
  }
}
