import type { AuditCheck } from "./check.ts";
import type { TextRow } from "./text-rows.ts";

/** A masked sentence may stand in this many families. */
const MOST_FRAMES = 3;
/** A sequence of five words may stand in this many families. */
const MOST_FIVES = 25;
const FRAME_WORDS = 8;
const LISTED = 20;

/**
 * Sentences that come back: frames (sentences of at least eight words, with numbers, names and
 * quoted texts masked) in more than three families, five-word sequences in more than 25.
 */
export function phraseChecks(rows: readonly TextRow[]): AuditCheck[] {
  const frames = new Families();
  const fives = new Families();
  for (const { trace, text } of rows) {
    for (const frame of framesOf(text.whole)) frames.add(frame, trace.family);
    for (const five of fivesOf(text.whole)) fives.add(five, trace.family);
  }
  return [
    repeats("sentence frames", frames, MOST_FRAMES),
    repeats("five-word sequences", fives, MOST_FIVES),
  ];
}

class Families {
  readonly #families = new Map<string, Set<string>>();

  add(phrase: string, family: string): void {
    const own = this.#families.get(phrase) ?? new Set();
    this.#families.set(phrase, own.add(family));
  }

  /** Phrases and in how many families each stands, most frequent first. */
  counts(): [phrase: string, families: number][] {
    const counted = [...this.#families].map(
      ([phrase, { size }]) => [phrase, size] as [string, number],
    );
    return counted.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  }
}

function repeats(name: string, families: Families, most: number): AuditCheck {
  const counts = families.counts();
  const above = counts.filter(([, count]) => count > most);
  const findings = above.slice(0, LISTED).map(([phrase, count]) => `${count} families: ${phrase}`);
  const highest = counts[0]?.[1] ?? 0;
  return {
    name,
    passed: above.length === 0,
    detail: `${above.length} in more than ${most} families; the most frequent in ${highest}`,
    findings,
  };
}

/** Sentences of a text with what names a single case masked. */
function framesOf(text: string): string[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n/);
  return sentences.filter((each) => each.split(/\s+/).length >= FRAME_WORDS).map(mask);
}

function mask(sentence: string): string {
  return sentence
    .replace(/"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»/g, "…")
    .replace(/\S*\d\S*/g, "0")
    .replace(/(?<=\S\s)\p{Lu}[\p{L}'’-]*/gu, "Name")
    .toLowerCase();
}

function fivesOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.slice(4).map((_, at) => words.slice(at, at + 5).join(" "));
}
