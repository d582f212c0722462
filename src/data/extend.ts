import { SteerError } from "../core/errors.ts";
import type { Component } from "./lineage.ts";
import type { Part, ScenarioSet, Split, TraceHead } from "./types.ts";

/** Places named in one warning. */
const NAMED = 10;

/** Sides that rows have from an earlier split. */
export interface Carried {
  /** By position in the set. */
  readonly sides: ReadonlyMap<number, Part>;
  readonly warnings: readonly string[];
}

/**
 * Puts the rows of an earlier split where they were, and new rows beside the old ones that they
 * are tied to. Where a new edge ties old rows of both sides, all of them go to train and the rows
 * that leave test are listed: a row that a model may have been trained on never becomes a test row.
 *
 * @param components those of the set; single traces when lineage is not kept
 * @throws SteerError `mismatch` when the old split was made by the other policy or shares no row
 */
export function carryOver(
  set: ScenarioSet,
  old: Split,
  by: Split["policy"]["by"],
  components: readonly Pick<Component, "members">[],
): Carried {
  if (old.policy.by !== by) {
    const message = `the split to extend was made by ${old.policy.by}, not by ${by}`;
    throw new SteerError("mismatch", `${set.name}: ${message}`);
  }
  const parts = new Map<string, Part>();
  for (const id of old.train) parts.set(id, "train");
  for (const id of old.test) parts.set(id, "test");
  const partAt = (position: number) => parts.get(set.heads[position]?.id ?? "");
  const sides = new Map<number, Part>();
  const moved: string[] = [];
  for (const { members } of components) {
    const trained = members.find((position) => partAt(position) === "train");
    const tested = members.filter((position) => partAt(position) === "test");
    if (trained === undefined && tested.length === 0) continue;
    const part = trained === undefined ? "test" : "train";
    for (const position of members) sides.set(position, part);
    if (trained === undefined) continue;
    for (const position of tested) moved.push(describeMove(set.heads, position, trained));
  }
  if (sides.size === 0) {
    throw new SteerError("mismatch", `${set.name}: shares no trace with the split to extend`);
  }
  return { sides, warnings: [...moved, ...changeWarnings(set, old, parts)] };
}

function describeMove(heads: readonly TraceHead[], position: number, trained: number): string {
  const [row, tie] = [heads[position] as TraceHead, heads[trained] as TraceHead];
  const because = `it is now tied to ${tie.id} (${tie.file}:${tie.line})`;
  return `${row.file}:${row.line}: ${row.id} moves from test to train: ${because}`;
}

function changeWarnings(
  { heads }: ScenarioSet,
  old: Split,
  parts: ReadonlyMap<string, Part>,
): string[] {
  const contents = new Map<string, string>();
  for (const part of ["train", "test"] as const) {
    for (const [k, id] of old[part].entries()) contents.set(id, old.content[part][k] ?? "");
  }
  const changed = heads.filter(({ id, content }) => (contents.get(id) ?? content) !== content);
  const present = new Set(heads.map(({ id }) => id));
  const gone = [...parts.keys()].filter((id) => !present.has(id));
  const texts = changed.map(({ id, file, line }) => `${id} (${file}:${line})`);
  return [
    ...(changed.length > 0 ? [`changed since the old split, side kept: ${named(texts)}`] : []),
    ...(gone.length > 0 ? [`in the old split but not in the set: ${named(gone)}`] : []),
  ];
}

function named(texts: readonly string[]): string {
  const rest = texts.length > NAMED ? ` and ${texts.length - NAMED} more` : "";
  return texts.slice(0, NAMED).join(", ") + rest;
}
