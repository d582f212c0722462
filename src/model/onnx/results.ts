/** The results of a call in the order of its requests, filled in any order. */
export class Results<Result> {
  readonly #values: (Result | undefined)[];
  readonly #onResult: ((index: number, result: Result) => void) | undefined;

  constructor(count: number, onResult?: (index: number, result: Result) => void) {
    this.#values = Array(count).fill(undefined);
    this.#onResult = onResult;
  }

  set(index: number, result: Result): void {
    this.#values[index] = result;
    this.#onResult?.(index, result);
  }

  /** Sets a result that has not come. */
  setMissing(index: number, result: Result): void {
    if (this.#values[index] === undefined) this.set(index, result);
  }

  /** @throws Error when one has not come: a fault of the program */
  all(): Result[] {
    return this.#values.map((value, index) => {
      if (value === undefined) throw new Error(`request ${index} got no result`);
      return value;
    });
  }
}
