import { SCOPES, type Trace } from "../../core/trace.ts";
import { splitWords } from "../text-figures.ts";
import type { TextRow } from "./text-rows.ts";

/** Words that a careless author uses under one label only; scenario-sets/GUIDE.md warns of them. */
const CUES = [
  ..."pending approved confirm stale outdated superseded note wait permission ask reminder".split(
    " ",
  ),
  ..."running please still already expired changed corrected queued signed until replaced".split(
    " ",
  ),
  "from now on",
  "no longer",
  "not yet",
] as const;

/** A single number or word read off a trace. */
export interface Feature {
  readonly name: string;
  read(trace: Trace): number | string;
}

/** Each feature a stump is fitted on: lengths, counts, places, scopes and cue words. */
export const FEATURES: readonly Feature[] = [
  {
    name: "words of the memory",
    read: ({ memory }) => sum(memory, ({ text }) => splitWords(text).length),
  },
  { name: "words of the observation", read: ({ observation }) => splitWords(observation).length },
  { name: "lines of the observation", read: ({ observation }) => observation.split("\n").length },
  { name: "characters of the observation", read: ({ observation }) => observation.length },
  {
    name: "digits of the observation",
    read: ({ observation }) => observation.replace(/\D/g, "").length,
  },
  { name: "memory entries", read: ({ memory }) => memory.length },
  { name: "entries with a time", read: ({ memory }) => memory.filter(({ saved }) => saved).length },
  { name: "scope of the first entry", read: ({ memory }) => memory[0]?.scope ?? "none" },
  { name: "scope of the last entry", read: ({ memory }) => memory.at(-1)?.scope ?? "none" },
  {
    name: "place of the longest entry",
    read: ({ memory }) => longest(memory.map(({ text }) => text)),
  },
  {
    name: "first word of the observation",
    read: ({ observation }) => splitWords(observation)[0] ?? "",
  },
  {
    name: "last word of the observation",
    read: ({ observation }) => splitWords(observation).at(-1) ?? "",
  },
  ...SCOPES.map((scope) => ({
    name: `${scope} entries`,
    read: ({ memory }: Trace) => memory.filter((entry) => entry.scope === scope).length,
  })),
  ...CUES.map((cue) => ({
    name: `"${cue}"`,
    read: ({ memory, observation }: Trace) => {
      const text = [...memory.map((entry) => entry.text), observation].join("\n").toLowerCase();
      return text.includes(cue) ? 1 : 0;
    },
  })),
];

const BINS = 10;

/**
 * Predicts a label from one feature: numbers fall into tenths of the values seen in training, texts
 * stand for themselves, and each bin has the label that is most frequent there.
 *
 * @returns a label for each row of `held`; in bins never seen, the label most frequent overall
 */
export function predictByFeature(
  { read }: Feature,
  train: readonly TextRow[],
  held: readonly TextRow[],
): number[] {
  const values = train.map(({ trace }) => read(trace));
  const edges = quantiles(values.filter((value) => typeof value === "number"));
  const binOf = (value: number | string) =>
    typeof value === "number" ? edges.filter((edge) => value > edge).length : value;
  const bins = new Map<number | string, number[]>();
  const overall: number[] = [];
  train.forEach(({ label }, at) => {
    const bin = binOf(values[at] as number | string);
    const counts = bins.get(bin) ?? [];
    bins.set(bin, counts);
    for (const each of [counts, overall]) each[label] = (each[label] ?? 0) + 1;
  });
  return held.map(({ trace }) => mostFrequent(bins.get(binOf(read(trace))) ?? overall));
}

function quantiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = (k: number) => sorted[Math.floor((k * sorted.length) / BINS)] as number;
  const edges = Array.from({ length: BINS - 1 }, (_, k) => cut(k + 1));
  return sorted.length === 0 ? [] : [...new Set(edges)];
}

function mostFrequent(counts: readonly number[]): number {
  let best = 0;
  for (let label = 0; label < counts.length; label++) {
    if ((counts[label] ?? 0) > (counts[best] ?? 0)) best = label;
  }
  return best;
}

function longest(texts: readonly string[]): number {
  return texts.reduce(
    (best, text, at) => (text.length > (texts[best] ?? "").length ? at : best),
    0,
  );
}

function sum<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
