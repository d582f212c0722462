import { SteerError } from "../core/errors.ts";
import type { Trace } from "../core/trace.ts";
import type { ScenarioSet } from "../data/types.ts";
import type { Run } from "../result/run-read.ts";

/**
 * The traces that some runs asked, by id, from the set they were made from.
 *
 * @throws SteerError `mismatch` naming each run that was made from other traces
 */
export function readTraceTexts(set: ScenarioSet, runs: readonly Run[]): Map<string, Trace> {
  const foreign = runs.filter(({ header }) => header.set.digest !== set.digest);
  if (foreign.length > 0) {
    const list = foreign.map(({ path, header }) => `${path}: set.digest ${header.set.digest}`);
    throw new SteerError(
      "mismatch",
      `${set.name} (digest ${set.digest}) is not the set of these runs:\n  ${list.join("\n  ")}\nGive --set the set they were made from, or leave it out.`,
    );
  }
  const asked = new Set(runs.flatMap(({ traces }) => [...traces.keys()]));
  return new Map(
    set.heads.flatMap(({ id }, position) =>
      asked.has(id) ? [[id, set.readTrace(position)] as const] : [],
    ),
  );
}
