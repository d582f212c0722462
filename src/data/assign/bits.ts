/** A set of numbers from 0 to `size` - 1, one bit each. */
export class Bits {
  readonly size: number;
  private readonly words: Uint32Array;

  constructor(size: number) {
    this.size = size;
    this.words = new Uint32Array(Math.ceil(size / 32));
  }

  has(value: number): boolean {
    if (value < 0 || value >= this.size) return false;
    return (((this.words[value >>> 5] as number) >>> (value & 31)) & 1) === 1;
  }

  add(value: number): void {
    this.words[value >>> 5] = (this.words[value >>> 5] as number) | (1 << (value & 31));
  }

  /** Adds every number of `other`, each greater by `shift`; what reaches `size` is dropped. */
  addShifted(other: Bits, shift: number): void {
    const { words } = this;
    const [whole, part] = [shift >>> 5, shift & 31];
    // From the top down, so that a set can be shifted into itself.
    for (let to = words.length - 1; to >= whole; to--) {
      const from = to - whole;
      let moved = (other.words[from] as number) << part;
      if (part > 0 && from > 0) moved |= (other.words[from - 1] as number) >>> (32 - part);
      words[to] = (words[to] as number) | moved;
    }
  }

  copy(): Bits {
    const copied = new Bits(this.size);
    copied.words.set(this.words);
    return copied;
  }
}
