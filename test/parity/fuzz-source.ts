import { type RandomStream, randomStream } from "../../src/core/random.ts";

/** A seeded source of choices. */
export interface Source {
  readonly random: RandomStream;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** Whether something of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One of the characters (code points) of a text. */
  char(characters: string): string;
}

export function source(seed: string): Source {
  const random = randomStream(seed, "parity fuzz");
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]) => items[below(items.length)] as T;
  return {
    random,
    below,
    chance: (probability) => random() < probability,
    pick,
    char: (characters) => pick([...characters]),
  };
}
