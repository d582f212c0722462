import { SteerError } from "../core/errors.ts";
import type { Readout } from "../task/prompt.ts";
import { requireComparable } from "./comparable.ts";
import { type Contrast, type ContrastOptions, contrast, type Unit } from "./contrast.ts";
import { type BestConstant, bestConstant } from "./metrics.ts";
import type { Run } from "./run-read.ts";
import { keyText } from "./run-row.ts";
import { type ScoredAnswer, scoreRun } from "./scored.ts";

/** Arms compared on the answers that all of them have. */
export interface Comparison {
  readonly arms: readonly ComparedArm[];
  /** Answers shared by all arms, and the traces and families they belong to. */
  readonly shared: { readonly answers: number; readonly traces: number; readonly families: number };
  /** What a reader must know before trusting the figures. */
  readonly warnings: readonly string[];
  /** The best constant label on the shared answers: what every arm has to beat. */
  readonly bestConstant: BestConstant | null;
  readonly accuracy: Contrast;
  /** Over traces whose gold label is not ACT; null when there are none. */
  readonly prematureAction: Contrast | null;
}

/** An arm and what of it was left out. */
export interface ComparedArm {
  readonly path: string;
  readonly model: string;
  readonly readout: Readout;
  /** Answers that another arm lacks. */
  readonly leftOut: number;
}

/** Options of {@link compareRuns}. */
export interface CompareOptions extends ContrastOptions {
  /** Compare in spite of another set, prompt or situation; what differs is then a warning. */
  readonly allowMismatch?: boolean | undefined;
}

/**
 * Compares two or more runs by id and sample, whatever the order of their rows. A trace with
 * several samples counts once, with the mean of its shared answers.
 *
 * @throws SteerError `usage` for fewer than two runs, `mismatch` for runs that do not belong
 *   together, `impossible` when they share no answer
 */
export function compareRuns(
  runs: readonly Run[],
  { allowMismatch = false, ...options }: CompareOptions,
): Comparison {
  if (runs.length < 2) throw new SteerError("usage", "compare needs two runs or more");
  const warnings = requireComparable(runs, { allowMismatch });
  const arms = runs.map(
    (run) => new Map(scoreRun(run, []).map((answer) => [keyText(answer), answer])),
  );
  const keys = sharedKeys(arms);
  const rows = keys.map((key) => arms.map((arm) => arm.get(key) as ScoredAnswer));
  const [first] = rows;
  if (!first) {
    const paths = runs.map(({ path }) => path).join(", ");
    throw new SteerError("impossible", `${paths} share no answered trace`);
  }
  const holding = rows.filter((row) => row.every(({ gold }) => gold !== "ACT"));
  const accuracy = compareBy(rows, ({ outcome }) => outcome === "correct", options);
  return {
    arms: runs.map((run) => ({
      path: run.path,
      model: run.header.model.name,
      readout: run.header.readout,
      leftOut: run.answers.length - keys.length,
    })),
    shared: { answers: keys.length, traces: accuracy.traces, families: accuracy.families },
    warnings: [...warnings, ...runs.flatMap(incompleteness)],
    bestConstant: bestConstant(rows.map(([answer = first[0] as ScoredAnswer]) => answer.gold)),
    accuracy,
    prematureAction:
      holding.length === 0
        ? null
        : compareBy(holding, ({ outcome }) => outcome === "premature_act", options),
  };
}

function compareBy(
  rows: readonly (readonly ScoredAnswer[])[],
  counts: (answer: ScoredAnswer) => boolean,
  options: ContrastOptions,
): Contrast {
  const arms = rows[0]?.map((_, arm) => arm) ?? [];
  const hits = (some: typeof rows, arm: number) =>
    some.filter((row) => row[arm] !== undefined && counts(row[arm])).length;
  const byTrace = new Map<string, (readonly ScoredAnswer[])[]>();
  for (const row of rows) {
    const id = row[0]?.id ?? "";
    const samples = byTrace.get(id);
    if (samples) samples.push(row);
    else byTrace.set(id, [row]);
  }
  const units: Unit[] = [...byTrace].map(([id, samples]) => ({
    id,
    family: samples[0]?.[0]?.family ?? id,
    values: arms.map((arm) => hits(samples, arm) / samples.length),
  }));
  const totals = arms.map((arm) => ({ hits: hits(rows, arm), answers: rows.length }));
  return contrast(units, totals, options);
}

function sharedKeys(arms: readonly ReadonlyMap<string, ScoredAnswer>[]): string[] {
  const [first, ...others] = arms;
  return [...(first?.keys() ?? [])].filter((key) => others.every((arm) => arm.has(key)));
}

function incompleteness({ path, errors, pending }: Run): string[] {
  const parts = [
    ...(errors.length > 0 ? [`${errors.length} failed`] : []),
    ...(pending > 0 ? [`${pending} never asked`] : []),
  ];
  return parts.length === 0
    ? []
    : [
        `${path}: ${parts.join(", ")}: no arm's answers to these are compared, all others are; finish it with eval --resume`,
      ];
}
