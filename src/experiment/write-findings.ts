import { join } from "node:path";
import { writeFileAtomic } from "../data/write-file.ts";
import type { Experiment } from "./experiment-file.ts";
import { type Findings, findingsOf } from "./findings.ts";
import { renderFindings } from "./render-findings.ts";

/** The tables, as people read them. */
export const TABLE_FILE = "table.txt";

/** The same and every pair of arms, as programs read them. */
export const FINDINGS_FILE = "findings.json";

/**
 * Computes what an experiment found and keeps it beside the arms.
 *
 * @throws SteerError as {@link findingsOf}, `unwritable`
 */
export async function writeFindings(
  experiment: Experiment,
  out: string,
  onProgress?: (done: number, total: number) => void,
): Promise<{ findings: Findings; text: string }> {
  const findings = await findingsOf(experiment, out, onProgress);
  const text = renderFindings(experiment, findings);
  await writeFileAtomic(join(out, FINDINGS_FILE), `${JSON.stringify(findings, null, 1)}\n`);
  await writeFileAtomic(join(out, TABLE_FILE), text);
  return { findings, text };
}
