import { SteerError } from "../core/errors.ts";
import { orderByHash } from "../core/hash.ts";
import { familyGroups } from "./lineage.ts";
import type { TraceHead } from "./types.ts";

/** The train side in two: what is trained on, and whole families kept back for validation. */
export interface CarvedTrain {
  /** Positions in the set's heads, in their order. */
  readonly train: Uint32Array;
  readonly validation: Uint32Array;
  /** How many families `validation` holds; families that links join count as one. */
  readonly families: number;
}

/**
 * Keeps whole families of the train side back, as near to `wanted` traces as they allow: families
 * come in the order of their seeded hash and are taken while they fit; if that leaves a gap, the
 * family that oversteps `wanted` least closes it, where it oversteps by less than the gap.
 *
 * @param positions of the train side in `heads`
 * @param wanted traces, at least 1
 * @throws SteerError `impossible` when this would leave nothing to train on, or nothing to validate
 */
export function carveValidation(
  heads: readonly TraceHead[],
  positions: Uint32Array,
  wanted: number,
  seed: string,
): CarvedTrain {
  const groups = familyGroups(heads);
  const families = familySizes(heads, positions, (position) => groups.find(position));
  const ordered = orderByHash(families, ({ key }) => key, `${seed}/validation/`);
  const taken = new Set<number>();
  let gap = wanted;
  for (const { root, size } of ordered) {
    if (size > gap) continue;
    taken.add(root);
    gap -= size;
  }
  const [closing] = ordered
    .filter(({ root, size }) => !taken.has(root) && size - gap < gap)
    .sort((a, b) => a.size - b.size);
  if (closing) taken.add(closing.root);
  const isTaken = (position: number) => taken.has(groups.find(position));
  const validation = positions.filter(isTaken);
  const train = positions.filter((position) => !isTaken(position));
  if (train.length === 0 || validation.length === 0) {
    const smallest = families.reduce((least, { size }) => Math.min(least, size), Infinity);
    throw new SteerError(
      "impossible",
      `cannot keep about ${wanted} of ${positions.length} train traces back by whole families: there are ${families.length}, the smallest with ${smallest} traces, and some must stay in train`,
    );
  }
  return { train, validation, families: taken.size };
}

interface FamilySize {
  /** What the group is known by in this set, and by what in any order of its rows: its smallest id. */
  readonly root: number;
  key: string;
  size: number;
}

function familySizes(
  heads: readonly TraceHead[],
  positions: Uint32Array,
  rootOf: (position: number) => number,
): FamilySize[] {
  const families = new Map<number, FamilySize>();
  for (const position of positions) {
    const root = rootOf(position);
    const { id } = heads[position] as TraceHead;
    const family = families.get(root);
    if (!family) families.set(root, { root, key: id, size: 1 });
    else {
      family.size++;
      if (id < family.key) family.key = id;
    }
  }
  return [...families.values()];
}
