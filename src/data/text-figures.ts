import { byLabel, type Label } from "../core/intervention.ts";
import type { Scope, Trace } from "../core/trace.ts";
import type { OnProgress } from "./jsonl.ts";
import { pauseAt } from "./pause.ts";
import type { ScenarioSet } from "./types.ts";

/** A text field of a trace whose words are counted; `memory` is all its entries. */
export const SECTIONS = ["task", "memory", "observation", "rationale"] as const;

/** See {@link SECTIONS}. */
export type Section = (typeof SECTIONS)[number];

/** Sums over the traces of one label. */
export interface LabelFigures {
  traces: number;
  /** Words, where white space parts them. */
  words: Record<Section, number>;
  entries: number;
  /** Memory entries by scope. */
  scopes: Record<Scope, number>;
  saved: number;
  /** Traces with an `also` list. */
  also: number;
  /** How often each label is named as the tempting one. */
  tempting: Record<Label, number>;
}

/** Reads every trace of a set once and adds up what its texts look like, label by label. */
export async function countTexts(
  set: ScenarioSet,
  onProgress?: OnProgress,
): Promise<Record<Label, LabelFigures>> {
  const figures = byLabel(emptyFigures);
  const { length } = set.heads;
  for (let position = 0; position < length; position++) {
    await pauseAt(position);
    onProgress?.(position + 1, length);
    const trace = set.readTrace(position);
    add(figures[trace.label], trace);
  }
  return figures;
}

function emptyFigures(): LabelFigures {
  return {
    traces: 0,
    words: { task: 0, memory: 0, observation: 0, rationale: 0 },
    entries: 0,
    scopes: { user: 0, project: 0, session: 0 },
    saved: 0,
    also: 0,
    tempting: byLabel(() => 0),
  };
}

function add(figures: LabelFigures, trace: Trace): void {
  const { task, memory, observation, rationale, also, tempting } = trace;
  figures.traces++;
  figures.words.task += countWords(task);
  figures.words.observation += countWords(observation);
  figures.words.rationale += countWords(rationale);
  figures.entries += memory.length;
  for (const { scope, text, saved } of memory) {
    figures.words.memory += countWords(text);
    figures.scopes[scope]++;
    if (saved !== undefined) figures.saved++;
  }
  if (also && also.length > 0) figures.also++;
  if (tempting) figures.tempting[tempting.label]++;
}

/** The words of a text, where white space parts them. */
export function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function countWords(text: string): number {
  return splitWords(text).length;
}

/** Words of a trace that a model sees, summed: task, memory and observation. */
export function shownWords({ words }: LabelFigures): number {
  return words.task + words.memory + words.observation;
}
