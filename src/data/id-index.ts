import type { TraceHead } from "./types.ts";

/**
 * Finds positions by id. A hash table of numbers only: a `Map` of a million ids would take ten
 * times the memory, and ids are looked up while texts fill it.
 */
export class IdIndex {
  private readonly heads: readonly Pick<TraceHead, "id">[];
  /** Position + 1, 0 where free. */
  private readonly slots: Uint32Array;

  /** Of equal ids the first is found. */
  constructor(heads: readonly Pick<TraceHead, "id">[]) {
    this.heads = heads;
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(heads.length * 2 + 2)));
    for (let position = 0; position < heads.length; position++) {
      const slot = this.slotOf(heads[position]?.id ?? "");
      if (this.slots[slot] === 0) this.slots[slot] = position + 1;
    }
  }

  /** The position of an id, or -1. */
  find(id: string): number {
    return (this.slots[this.slotOf(id)] ?? 0) - 1;
  }

  /** Where the id stands, or the free slot in which it would. */
  private slotOf(id: string): number {
    const { heads, slots } = this;
    const mask = slots.length - 1;
    for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot] as number;
      if (entry === 0 || heads[entry - 1]?.id === id) return slot;
    }
  }
}

/** FNV-1a over UTF-16 units, with its bits mixed once more. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) {
    hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
