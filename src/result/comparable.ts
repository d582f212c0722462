import { SteerError } from "../core/errors.ts";
import type { Run } from "./run-read.ts";

/** Differing situations listed by id; the rest are counted. */
const LISTED = 5;

/**
 * What keeps two runs from being compared: another scenario set, other situations under the same
 * ids, or, within one readout, another prompt. Each text names the field and both values.
 */
function differences(a: Run, b: Run): string[] {
  const found: string[] = [];
  const compare = (field: string, left: string, right: string) => {
    if (left !== right) found.push(`${field}: ${left} in ${a.path}, ${right} in ${b.path}`);
  };
  compare("set.digest", a.header.set.digest, b.header.set.digest);
  if (a.header.readout === b.header.readout) {
    compare("prompt.template", a.header.prompt.template, b.header.prompt.template);
  }
  for (const field of ["situation", "gold"] as const) {
    const changed = [...a.traces.values()].filter((trace) => {
      const other = b.traces.get(trace.id);
      return other !== undefined && other[field] !== trace[field];
    });
    if (changed.length === 0) continue;
    const ids = changed.slice(0, LISTED).map(({ id }) => id);
    const more = changed.length > LISTED ? ` and ${changed.length - LISTED} more` : "";
    found.push(`${field}: differs between ${a.path} and ${b.path} in ${ids.join(", ")}${more}`);
  }
  return found;
}

/**
 * Makes sure that runs can be compared.
 *
 * @param allowMismatch lists what differs instead of refusing it
 * @returns what differs; empty when nothing does
 * @throws SteerError `mismatch`, naming each field that differs
 */
export function requireComparable(
  runs: readonly Run[],
  { allowMismatch = false }: { readonly allowMismatch?: boolean } = {},
): string[] {
  const found = runs.flatMap((a, i) => runs.slice(i + 1).flatMap((b) => differences(a, b)));
  if (found.length === 0 || allowMismatch) return found;
  throw new SteerError(
    "mismatch",
    `these runs cannot be compared:\n  ${found.join("\n  ")}\nEvaluate the arms on one scenario set with one version, or pass --allow-mismatch.`,
  );
}
