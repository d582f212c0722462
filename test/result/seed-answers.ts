import type { Label } from "../../src/core/intervention.ts";

/** A raw answer as `score` reads it. */
export interface RawAnswer {
  readonly id: string;
  readonly gold: Label;
  readonly answer: string;
}

/** How many answers say what, by gold label; `null` says nothing readable. */
const COUNTS: readonly (readonly [gold: Label, says: Label | null, count: number])[] = [
  ["ACT", "ACT", 6],
  ["ACT", "WAIT", 1],
  ["ACT", null, 17],
  ["ASK", "ASK", 2],
  ["ASK", "ACT", 6],
  ["ASK", null, 11],
  ["WAIT", "ACT", 5],
  ["WAIT", "ASK", 1],
  ["WAIT", null, 13],
  ["REMEMBER", "REMEMBER", 2],
  ["REMEMBER", "ACT", 5],
  ["REMEMBER", null, 12],
  ["FORGET", "FORGET", 1],
  ["FORGET", "ACT", 4],
  ["FORGET", null, 14],
];

/** Unreadable answers that hedge. */
const HEDGED = 24;

const READABLE: readonly ((label: Label) => string)[] = [
  (label) => `Sure! I would ${label} here and go on, since the build is green.`,
  (label) => `Intervention: ${label}\nReason: the observation says so.`,
  (label) => `{intervention: ${label}, reason: the memory is current}`,
  (label) => `The answer is ${label}.`,
];

const UNREADABLE: readonly string[] = [
  "The agent has a task and a memory. It has seen the latest observation.",
  "1. Read the task. 2. Read the memory. 3. Read the observation.",
  "As an AI language model I can help with the next step of the deployment.",
];

/**
 * Raw answers with the figures of the first baseline: 100 answers, 33 of them readable, 26 of
 * those ACT, 11 right, none valid JSON.
 */
export function seedAnswers(): RawAnswer[] {
  const cells = COUNTS.flatMap(([gold, says, count]) => Array(count).fill({ gold, says }));
  let unreadable = 0;
  return (cells as { gold: Label; says: Label | null }[]).map(({ gold, says }, at) => {
    const id = `s-${String(at).padStart(3, "0")}`;
    if (says !== null) return { id, gold, answer: READABLE[at % READABLE.length]?.(says) ?? "" };
    const text = UNREADABLE[unreadable % UNREADABLE.length] ?? "";
    const isHedged = unreadable++ < HEDGED;
    return { id, gold, answer: isHedged ? `Perhaps it is unclear. ${text}` : text };
  });
}
