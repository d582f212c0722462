import { wilson } from "../stats/wilson.ts";

/** A share with its Wilson 95% interval. With nothing observed (0 of 0) it has no value: null. */
export interface Rate {
  readonly numerator: number;
  readonly denominator: number;
  /** Between 0 and 1. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** The rate of `numerator` in `denominator` observations. */
export function rate(numerator: number, denominator: number): Rate {
  const interval = wilson(numerator, denominator);
  return {
    numerator,
    denominator,
    value: denominator === 0 ? null : numerator / denominator,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

/** How many of the items that `among` admits also satisfy `hit`. */
export function rateOf<T>(
  items: readonly T[],
  hit: (item: T) => boolean,
  among: (item: T) => boolean = () => true,
): Rate {
  const chosen = items.filter(among);
  return rate(chosen.filter(hit).length, chosen.length);
}
