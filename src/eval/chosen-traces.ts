import { SteerError } from "../core/errors.ts";
import { orderByHash } from "../core/hash.ts";
import type { Trace } from "../core/trace.ts";
import type { Part, ScenarioSet } from "../data/types.ts";
import type { PartRows } from "../data/verify.ts";

/** Which traces of a set a run asks. */
export interface Choice {
  readonly part: Part;
  /** At most so many; all of them without it. */
  readonly limit?: number | undefined;
  /** Shard `index` of `count`, counted from 1; all of them without it. */
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
}

/**
 * The traces of one side, in the order of the sha256 of their ids, which says nothing about labels
 * or families. A limit takes the first ones, so that every arm under one limit gets the same
 * traces; shards deal those out in turn.
 *
 * @param rows positions in the set of each side's traces, from a verified split
 * @throws SteerError `impossible` when none is left
 */
export function chooseTraces(
  set: ScenarioSet,
  rows: PartRows,
  { part, limit, shard }: Choice,
): Trace[] {
  const idAt = (position: number) => set.heads[position]?.id ?? "";
  const ordered = orderByHash(rows[part], idAt).slice(0, limit);
  const mine = shard ? ordered.filter((_, at) => at % shard.count === shard.index - 1) : ordered;
  if (mine.length === 0) {
    const shown = shard ? `shard ${shard.index}/${shard.count} of the` : "the";
    throw new SteerError("impossible", `${shown} ${part} side of the split has no traces to ask`);
  }
  return mine.map((position) => set.readTrace(position));
}
