import type { SchemaFault } from "../data/explain.ts";
import { passOffsets } from "./decision.ts";
import { isDecisionRow, isErrorRow, type RunRow } from "./run-row.ts";
import type { RunHeader, RunTrace } from "./run-schema.ts";

/** Why a row does not belong to the run that its header describes; null when it does. */
export function rowFault(
  row: RunRow,
  header: RunHeader,
  traces: ReadonlyMap<string, RunTrace>,
): SchemaFault | null {
  const { id, sample } = row;
  if (!traces.has(id)) {
    return { path: "id", message: `${JSON.stringify(id)} is no trace of this run` };
  }
  if (sample >= header.samples) {
    return { path: "sample", message: `${sample}: the run has samples 0 to ${header.samples - 1}` };
  }
  if (isErrorRow(row)) return null;
  const isDecision = isDecisionRow(row);
  if (isDecision !== (header.readout === "decision")) {
    return { path: "text", message: `is no row of a run with the ${header.readout} readout` };
  }
  if (!isDecision || !header.letters) return null;
  const expected = passOffsets(id, header.letters).join(", ");
  const found = row.passes.map(({ offset }) => offset).join(", ");
  if (found === expected) return null;
  return { path: "offset", message: `${found}: the run's letter order for this id is ${expected}` };
}
