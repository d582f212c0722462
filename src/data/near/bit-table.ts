/** Bits above which a table stops growing: 256 MB. */
const MOST_BITS = 2 ** 31;

/**
 * A set of 32-bit hashes that may say yes for one that was never added, and never says no for one
 * that was: a Bloom filter with one hash function.
 */
export class BitTable {
  private readonly words: Uint32Array;
  private readonly mask: number;

  /** Two bits or more for each expected hash: at most two in five strangers are taken for known. */
  constructor(expected: number) {
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(expected, 1) * 2));
    const bits = Math.min(MOST_BITS, Math.max(1 << 16, wanted));
    this.words = new Uint32Array(bits / 32);
    this.mask = bits - 1;
  }

  add(hash: number): void {
    const bit = (hash & this.mask) >>> 0;
    const at = bit >>> 5;
    this.words[at] = (this.words[at] as number) | (1 << (bit & 31));
  }

  has(hash: number): boolean {
    const bit = (hash & this.mask) >>> 0;
    return (((this.words[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1;
  }
}
