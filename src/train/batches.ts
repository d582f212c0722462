import { orderByHash } from "../core/hash.ts";

/**
 * The examples of a step, counted from 1. Each epoch goes through all of them in an order of its
 * own, by the hash of seed, epoch and id; a batch may end one epoch and begin the next. It follows
 * from seed and step alone, so that a resumed run goes on with the same batches.
 */
export function makeBatches<T extends { readonly id: string }>(
  examples: readonly T[],
  size: number,
  seed: string,
): (step: number) => T[] {
  let current = { epoch: -1, order: [] as T[] };
  const orderOf = (epoch: number) => {
    if (current.epoch !== epoch) {
      const salt = JSON.stringify([seed, "order", epoch]);
      current = { epoch, order: orderByHash(examples, ({ id }) => id, salt) };
    }
    return current.order;
  };
  return (step) =>
    Array.from({ length: size }, (_, k) => {
      const place = (step - 1) * size + k;
      return orderOf(Math.floor(place / examples.length))[place % examples.length] as T;
    });
}

/** Steps that go through so many examples so many times; the last batch may begin another epoch. */
export function stepsOf(examples: number, epochs: number, batch: number): number {
  return Math.max(1, Math.ceil((examples * epochs) / batch));
}
