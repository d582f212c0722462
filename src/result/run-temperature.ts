import { SteerError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { LABELS } from "../core/intervention.ts";
import { fitTemperature, type TemperatureFit } from "../stats/temperature.ts";
import { readDecision } from "./decision.ts";
import { headerDifferences } from "./run-header.ts";
import type { Run } from "./run-read.ts";
import { isDecisionRow, rowLine } from "./run-row.ts";
import type { RunHeader } from "./run-schema.ts";

/** A temperature and the run that it was fitted on. */
export interface RunTemperature extends TemperatureFit {
  readonly from: {
    /** Folder of the run. */
    readonly run: string;
    readonly model: string;
    readonly part: "train";
    readonly set: string;
    readonly split: string;
    readonly prompt: string;
    readonly letters: NonNullable<RunHeader["letters"]>;
    /** Digest of its traces. */
    readonly situations: string;
    /** sha256 of the answers fitted on, as `answers.jsonl` holds them. */
    readonly answers: string;
    readonly traces: number;
    /** Traces that failed, were never asked or have scores that are not finite. */
    readonly missing: number;
  };
}

/**
 * Fits the temperature of a decision run on a run of the train side, on each trace's probabilities
 * averaged over its letter orders: the ones that metrics use.
 *
 * @param train the same arm on the train side of the same split
 * @param run what the temperature is for
 * @throws SteerError `mismatch` listing all that keeps the runs from belonging together,
 *   `impossible` when `train` has no answer to fit on
 */
export function fitRunTemperature(train: Run, run: Run): RunTemperature {
  requireTrainTwin(train, run);
  const rows = train.answers.filter(isDecisionRow);
  const items = rows.flatMap(({ id, passes }) => {
    const { probabilities } = readDecision(passes);
    const gold = train.traces.get(id)?.gold;
    return probabilities && gold ? [{ probabilities, gold }] : [];
  });
  if (items.length === 0) {
    throw new SteerError("impossible", `${train.path}: has no answer to fit a temperature on`);
  }
  const fit = fitTemperature(
    items.map(({ probabilities }) => LABELS.map((label) => probabilities[label])),
    items.map(({ gold }) => LABELS.indexOf(gold)),
  );
  const { model, set, split, prompt, letters, situations } = train.header;
  if (!letters) throw new Error("a decision run says how its letters are ordered");
  return {
    ...fit,
    from: {
      run: train.path,
      model: model.spec,
      part: "train",
      set: set.digest,
      split: split.digest,
      prompt: prompt.template,
      letters,
      situations,
      answers: sha256Hex(rows.map((row) => `${rowLine(row)}\n`).join("")),
      traces: train.traces.size,
      missing: train.traces.size - items.length,
    },
  };
}

/** Shared ids listed; the rest are counted. */
const LISTED = 5;

function requireTrainTwin(train: Run, run: Run): void {
  const faults = [
    ...[train, run].flatMap(({ path, header }) =>
      header.readout === "decision"
        ? []
        : [`readout: ${path} is a ${header.readout} run, which has no probabilities`],
    ),
    ...(train.header.split.part === "train"
      ? []
      : [`split.part: ${train.path} is of the ${train.header.split.part} side, not of train`]),
    ...sharedIds(train, run),
  ];
  // Runs of two readouts differ in prompt and letters, too; that would only hide the cause.
  if (train.header.readout === run.header.readout) faults.push(...armDifferences(train, run));
  if (faults.length === 0) return;
  throw new SteerError(
    "mismatch",
    `${train.path} cannot give the temperature for ${run.path}:\n  ${faults.join("\n  ")}\nEvaluate the same arm on the train side: the same eval command with --part train.`,
  );
}

function sharedIds(train: Run, run: Run): string[] {
  const shared = [...run.traces.keys()].filter((id) => train.traces.has(id));
  if (shared.length === 0) return [];
  const more = shared.length > LISTED ? ` and ${shared.length - LISTED} more` : "";
  return [`traces: both runs hold ${shared.slice(0, LISTED).join(", ")}${more}`];
}

/** Header fields that may differ between two sides of one arm. */
const OWN_FIELDS: readonly (keyof RunHeader)[] = [
  "files",
  "scorer",
  "seed",
  "workers",
  "threads",
  "limit",
  "shard",
  "situations",
  "traces",
];

function armDifferences(train: Run, run: Run): string[] {
  return headerDifferences(
    { name: train.path, header: armOf(train.header) },
    { name: run.path, header: armOf(run.header) },
    OWN_FIELDS,
  );
}

/** A header without its side. */
function armOf(header: RunHeader): RunHeader {
  return { ...header, split: { ...header.split, part: "train" } };
}
