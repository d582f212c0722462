import { type Comparison, compareRuns } from "../result/compare.ts";
import { type BestConstant, type RunMetrics, runMetrics } from "../result/metrics.ts";
import { readRun } from "../result/run-read.ts";
import { readMetrics } from "../train/metrics-log.ts";
import { summarize, type TrainSummary } from "../train/summary.ts";
import { type Arm, armsOf } from "./arms.ts";
import { type Experiment, schemesOf } from "./experiment-file.ts";
import { constantRun, poolSeeds } from "./pooled-run.ts";

/** Drawn anew for every experiment alike, so that tables can be reproduced. */
const BOOTSTRAP_SEED = "0";

/** One row of an experiment's table. */
export interface ArmFindings extends Pick<Arm, "title" | "name" | "seed" | "readout"> {
  readonly metrics: RunMetrics;
  /** Null where nothing is trained. */
  readonly training: TrainSummary | null;
}

/** What an experiment found, computed from its stored answers alone. */
export interface Findings {
  readonly arms: readonly ArmFindings[];
  /** Of all traces; null without answers. */
  readonly bestConstant: BestConstant | null;
  /** Every pair of arms, seeds pooled; the best constant label comes first. */
  readonly comparison: Omit<Comparison, "bestConstant">;
}

/**
 * Reads all arms of an experiment and compares them.
 *
 * @throws SteerError `not_found` for an arm that was not made yet, `mismatch` for arms that were not
 *   made on the same traces, and what reading a run throws
 */
export async function findingsOf(
  experiment: Experiment,
  out: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Findings> {
  const arms = armsOf(experiment, out);
  const runs = new Map<Arm, Awaited<ReturnType<typeof readRun>>>();
  for (const arm of arms) runs.set(arm, await readRun(arm.folder));

  const pooled = [...new Set(arms.map(({ name }) => name))].map((name) => {
    const own = [...runs].flatMap(([arm, run]) => (arm.name === name ? [run] : []));
    return poolSeeds(name, own, experiment.seeds.length);
  });
  const [first] = pooled;
  if (first === undefined) throw new Error("an experiment has arms");
  // Of one run, not of the pooled one, in which each trace stands once for each seed.
  const [single] = runs.values();
  const constant = single === undefined ? null : runMetrics(single).bestConstant;
  const floor = constant === null ? [] : [constantRun(constant.label, first)];
  const schemes = schemesOf(experiment);
  const found: ArmFindings[] = [];
  for (const [arm, run] of runs) {
    const { title, name, seed, readout, folder } = arm;
    const rows = seed === null ? null : await readMetrics(folder);
    const training = rows && summarize(rows);
    found.push({ title, name, seed, readout, metrics: runMetrics(run, schemes), training });
  }
  const { bestConstant: _, ...comparison } = compareRuns([...floor, ...pooled], {
    seed: BOOTSTRAP_SEED,
    onProgress,
  });
  return { arms: found, bestConstant: constant, comparison };
}
