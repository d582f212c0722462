import { LABELS } from "../../core/intervention.ts";
import type { Trace } from "../../core/trace.ts";
import { pauseAt } from "../pause.ts";
import type { ScenarioSet } from "../types.ts";

/** What of a trace a baseline may look at; `whole` is all that a model is shown. */
export const VIEWS = ["task", "memory", "observation", "whole"] as const;

/** See {@link VIEWS}. */
export type View = (typeof VIEWS)[number];

/** A trace as baselines see it. */
export interface TextRow {
  readonly trace: Trace;
  /** Position of its label in LABELS. */
  readonly label: number;
  readonly text: Readonly<Record<View, string>>;
}

/** Reads every trace of a set, in order of id, so that nothing depends on the order of files. */
export async function readTextRows(set: ScenarioSet, order: Iterable<number>): Promise<TextRow[]> {
  const rows: TextRow[] = [];
  for (const position of order) {
    await pauseAt(rows.length);
    const trace = set.readTrace(position);
    const { task, observation } = trace;
    const memory = trace.memory.map(({ scope, text }) => `[${scope}] ${text}`).join("\n");
    const whole = `${task}\n${memory}\n${observation}`;
    const text = { task, memory, observation, whole };
    rows.push({ trace, label: LABELS.indexOf(trace.label), text });
  }
  return rows;
}
