import type { RunMetrics } from "../result/metrics.ts";
import { runMetrics } from "../result/metrics.ts";
import type { Run } from "../result/run-read.ts";
import { type ScoredAnswer, scoreRun } from "../result/scored.ts";
import { SCHEMES, type Scheme } from "../task/scheme.ts";
import type { Curve } from "./curves.ts";
import { shorten } from "./plain-text.ts";

/** The schemes of every report: both are shown, since prices are a choice. */
export const REPORT_SCHEMES: readonly Scheme[] = [SCHEMES.symmetric, SCHEMES.asymmetric];

/** Beginning of the model specs of floor policies, and that of the bag of words. */
const BASELINE = "baseline:";
const WORDS = "baseline:words";

/** One arm of the report: a run and everything computed from it. */
export interface Arm {
  /** Counts from 1; stands for the arm where there is no room for its name. */
  readonly number: number;
  /** The end of the run's path that tells it from the others. */
  readonly name: string;
  /** The name without the beginning that it shares with other long names. */
  readonly short: string;
  readonly run: Run;
  readonly metrics: RunMetrics;
  readonly answers: readonly ScoredAnswer[];
  /** Training curves beside the run; empty when it has none. */
  readonly curves: readonly Curve[];
  /** A policy that needs no model. */
  readonly isFloor: boolean;
  /** The bag of words that every arm is measured against. */
  readonly isWords: boolean;
}

/** A run as it is handed to a report. */
export interface ReportRun {
  readonly run: Run;
  readonly curves: readonly Curve[];
}

/** The arms in the order in which the runs were named. */
export function armsOf(runs: readonly ReportRun[]): Arm[] {
  const names = shortNames(runs.map(({ run }) => run.path));
  const shorts = withoutSharedBeginning(names);
  return runs.map(({ run, curves }, at) => ({
    number: at + 1,
    name: names[at] ?? run.path,
    short: shorts[at] ?? run.path,
    run,
    metrics: runMetrics(run, REPORT_SCHEMES),
    answers: scoreRun(run, REPORT_SCHEMES),
    curves,
    isFloor: run.header.model.spec.startsWith(BASELINE),
    isWords: run.header.model.spec === WORDS,
  }));
}

/** The arm's number and name in so many columns. */
export function armLabel({ number, name, short }: Arm, columns: number): string {
  const whole = `${number} ${name}`;
  return shorten(whole.length <= columns ? whole : `${number} ${short}`, columns);
}

/** The arm's number and name for a row of a drawing, which has little room. */
export function rowLabel({ number, short }: Arm): string {
  return `${number} ${short}`;
}

/** Beginning of the file names that belong to one arm alone. */
export function armSlug({ number, name }: Arm): string {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-|-$/g, "");
  return word === "" ? String(number) : `${number}-${word}`;
}

/** Names up to this length need no shortening. */
const SHORT = 20;

/** Names that are too long for a row of a drawing, without what all of those begin with. */
export function withoutSharedBeginning(names: readonly string[]): string[] {
  const long = names.filter(({ length }) => length > SHORT);
  const [first = "", ...others] = long;
  if (others.length === 0) return [...names];
  let shared = 0;
  while (others.every((name) => name[shared] === first[shared]) && shared < first.length) shared++;
  // Back to where a word begins, so that no number is torn.
  const beginning = /^.*[-_./\s=]/s.exec(first.slice(0, shared))?.[0] ?? "";
  return names.map((name) =>
    beginning !== "" && name.length > SHORT ? `…${name.slice(beginning.length)}` : name,
  );
}

/** Each path's last part, with as many parts before it as it takes to tell all apart. */
function shortNames(paths: readonly string[]): string[] {
  const parts = paths.map((path) => path.split(/[\\/]/).filter((part) => part !== ""));
  const deepest = Math.max(0, ...parts.map(({ length }) => length));
  for (let depth = 1; depth < deepest; depth++) {
    const names = parts.map((each) => each.slice(-depth).join("/"));
    if (new Set(names).size === names.length) return names;
  }
  return [...paths];
}
