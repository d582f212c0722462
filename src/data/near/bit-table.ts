/** Bits above which a table stops growing: 256 MB. */
const MOST_BITS = 2 ** 31;
const FEWEST_BITS = 2 ** 16;

/**
 * A set of 32-bit hashes that may say yes for one that was never added, and never says no for one
 * that was: a Bloom filter with one hash function.
 */
export class BitTable {
  private readonly words: Uint32Array;
  /** Spreads hashes evenly over any number of bits, which a mask could not. */
  private readonly scale: number;

  /** @param wanted bits; when half of them are set, half of all strangers are taken for known */
  constructor(wanted: number) {
    const bits = Math.ceil(Math.min(MOST_BITS, Math.max(FEWEST_BITS, wanted)) / 32) * 32;
    this.words = new Uint32Array(bits / 32);
    this.scale = bits / 2 ** 32;
  }

  add(hash: number): void {
    const bit = Math.floor((hash >>> 0) * this.scale);
    const at = bit >>> 5;
    this.words[at] = (this.words[at] as number) | (1 << (bit & 31));
  }

  has(hash: number): boolean {
    const bit = Math.floor((hash >>> 0) * this.scale);
    return (((this.words[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1;
  }
}
