import seedrandom from "seedrandom";
import { sha256Hex } from "./hash.ts";

/** A stream of numbers in [0, 1). */
export type RandomStream = () => number;

/**
 * A seed for one use, from the run's seed, what it is for and which item it serves.
 * Hashing keeps item 1 under seed 42 apart from item 0 under seed 43, which adding does not.
 */
export function subSeed(seed: number | string, purpose: string, id = ""): string {
  return sha256Hex(JSON.stringify([String(seed), purpose, id]));
}

/** The local random stream (seedrandom's `alea`) of one seed, purpose and item. */
export function randomStream(seed: number | string, purpose: string, id = ""): RandomStream {
  return seedrandom.alea(subSeed(seed, purpose, id));
}
