/** Groups of the numbers from 0 to size - 1 that grow by joining. */
export class UnionFind {
  private readonly parent: Uint32Array;

  constructor(size: number) {
    this.parent = Uint32Array.from({ length: size }, (_, i) => i);
  }

  get size(): number {
    return this.parent.length;
  }

  /** The smallest member of the group, which stands for it. */
  find(member: number): number {
    const { parent } = this;
    let at = member;
    for (;;) {
      const up = parent[at] as number;
      if (up === at) return at;
      const next = parent[up] as number;
      parent[at] = next;
      at = next;
    }
  }

  /** Joins two groups; false when they were one already. */
  join(a: number, b: number): boolean {
    const [x, y] = [this.find(a), this.find(b)];
    if (x === y) return false;
    this.parent[Math.max(x, y)] = Math.min(x, y);
    return true;
  }

  /** An independent copy. */
  copy(): UnionFind {
    const copied = new UnionFind(0);
    return Object.assign(copied, { parent: this.parent.slice() });
  }
}
