/**
 * Numbers the distinct 64-bit shingles it is given, 0, 1, 2, …, and counts in how many groups each
 * occurs. Groups must come one after the other.
 */
export class TokenTable {
  size = 0;
  private lo = new Uint32Array(1 << 12);
  private hi = new Uint32Array(1 << 12);
  /** Groups a token occurs in. */
  groups = new Uint32Array(1 << 12);
  private lastGroup = new Uint32Array(1 << 12);
  /** Open addressing: token + 1, 0 where free. */
  private slots = new Uint32Array(1 << 13);

  /** The token of a shingle that occurs in a group; groups count from 1. */
  add(lo: number, hi: number, group: number): number {
    const mask = this.slots.length - 1;
    let at = (lo ^ Math.imul(hi, 0x9e3779b1)) & mask;
    for (; this.slots[at] !== 0; at = (at + 1) & mask) {
      const token = (this.slots[at] as number) - 1;
      if (this.lo[token] === lo && this.hi[token] === hi) return this.count(token, group);
    }
    const token = this.size++;
    if (token === this.lo.length) this.growTokens();
    this.lo[token] = lo;
    this.hi[token] = hi;
    this.slots[at] = token + 1;
    if (this.size * 2 > this.slots.length) this.growSlots();
    return this.count(token, group);
  }

  /**
   * Each token's place when tokens are ordered from the rarest to the most common: rare ones tell
   * texts apart best. Equally common ones follow their hashes, so that input order has no effect.
   */
  ranks(): Uint32Array {
    const { lo, hi, groups } = this;
    const order = Uint32Array.from({ length: this.size }, (_, token) => token);
    order.sort(
      (a, b) =>
        (groups[a] as number) - (groups[b] as number) ||
        (hi[a] as number) - (hi[b] as number) ||
        (lo[a] as number) - (lo[b] as number),
    );
    const ranks = new Uint32Array(this.size);
    order.forEach((token, rank) => {
      ranks[token] = rank;
    });
    return ranks;
  }

  private count(token: number, group: number): number {
    if (this.lastGroup[token] !== group) {
      this.lastGroup[token] = group;
      this.groups[token] = (this.groups[token] as number) + 1;
    }
    return token;
  }

  private growTokens(): void {
    this.lo = enlarged(this.lo);
    this.hi = enlarged(this.hi);
    this.groups = enlarged(this.groups);
    this.lastGroup = enlarged(this.lastGroup);
  }

  private growSlots(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let token = 0; token < this.size; token++) {
      let at =
        ((this.lo[token] as number) ^ Math.imul(this.hi[token] as number, 0x9e3779b1)) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = token + 1;
    }
    this.slots = slots;
  }
}

/** The same numbers with as much room again. */
export function enlarged(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
