import { lettersAt } from "../../src/task/letters.ts";
import { RULES } from "../../src/task/parse/rules.ts";
import type { Letters } from "../../src/task/parse/types.ts";
import { choice, disguise, HOSTILE, LIST_ENTRIES, noise, wide } from "./fuzz-pieces.ts";
import { brokenObject, declaration, list, negation, object, option } from "./fuzz-sentences.ts";
import { type Source, source } from "./fuzz-source.ts";

/** An answer to read in both ports. */
export interface FuzzCase {
  readonly answer: string;
  readonly letters?: Letters;
  readonly prompt?: string;
  readonly endTokens?: readonly string[];
}

/** How many texts are made, the few long ones aside. */
export const TEXTS = 24_000;
const LONG_TEXTS = 24;

const PROMPTS = [
  "Task:\nShip it.\n\nObservation:\nDone.",
  " Pick one: ",
  "{",
  '{"intervention": "',
  "\ufeffQ\ud800",
];

/** The same hostile answers every time, for the same seed. */
export function fuzzCases(seed: string): FuzzCase[] {
  const from = source(seed);
  const cases = Array.from({ length: TEXTS }, () => fuzzCase(from));
  for (let i = 0; i < LONG_TEXTS; i++) cases.push(longCase(from, i));
  return cases;
}

function fuzzCase(from: Source): FuzzCase {
  const lettered = from.chance(0.36);
  const prompt = from.chance(0.1) ? from.pick(PROMPTS) : undefined;
  const framed = frame(from, body(from, lettered));
  const answer = from.chance(0.35) ? mutate(from, framed) : framed;
  return {
    answer:
      prompt !== undefined && from.chance(0.8)
        ? prompt + from.pick(["", " ", "\n"]) + answer
        : answer,
    ...(lettered ? { letters: lettersAt(from.below(5)) } : {}),
    ...(prompt === undefined ? {} : { prompt }),
    ...(from.chance(0.05) ? { endTokens: [from.pick(["#", "\u00a7", "so", "", "\ud83d"])] } : {}),
  };
}

/** A text just over or under a length limit. */
function longCase(from: Source, i: number): FuzzCase {
  const unit = from.pick(["x", "\u00e9", "\u4e2d", "\ud83d\ude00", "<think>", "ASK ", "{"]);
  const limit = i % 8 === 0 ? RULES.maxAnswerBytes : RULES.maxReadBytes;
  const times = Math.ceil(limit / Buffer.byteLength(unit)) + (i % 12 === 5 ? -1 : 0);
  return { answer: `${choice(from, false)}.${unit.repeat(times)}` };
}

/** What the answer says: alone, or in several sentences. */
function body(from: Source, lettered: boolean): string {
  const roll = from.random();
  if (roll < 0.05) return "";
  if (roll < 0.2) return choice(from, lettered) + (from.chance(0.3) ? from.char(RULES.edges) : "");
  if (roll < (lettered ? 0.24 : 0.5)) return object(from);
  if (!lettered && roll < 0.57) return from.pick(["", `${noise(from)} `]) + brokenObject(from);
  const count = 1 + from.below(4);
  const kinds = lettered ? LETTERED_SENTENCES : SENTENCES;
  let text = "";
  for (let i = 0; i < count; i++) {
    const sentence = from.pick(kinds)(from, lettered);
    text += i === 0 ? sentence : from.pick([" ", "\n", ". ", "", "; ", "\r\n", ", "]) + sentence;
  }
  return text;
}

type Sentence = (from: Source, lettered: boolean) => string;

const PROSE: readonly Sentence[] = [
  (from) => noise(from),
  (from, lettered) => `${noise(from, 3)} ${choice(from, lettered)} ${noise(from, 2)}`,
  declaration,
  list,
  negation,
];
const SENTENCES: readonly Sentence[] = [...PROSE, ...PROSE, object, object, object, brokenObject];
const LETTERED_SENTENCES: readonly Sentence[] = [...PROSE, option, option, object];

/** What models put around an answer. */
function frame(from: Source, text: string): string {
  const roll = from.random();
  if (roll < 0.6) return text;
  if (roll < 0.66) return `<think>${noise(from)}${from.pick(RULES.thinkClose)}${text}`;
  if (roll < 0.7) return `${from.pick([...RULES.thinkOpen, " <think>"])}${text}`;
  if (roll < 0.75) return `${text}${from.pick(RULES.endTokens)}${choice(from, false)}`;
  if (roll < 0.82) return `${text}\n${from.pick(["", "  "])}${header(from)} ${choice(from, false)}`;
  if (roll < 0.88) return JSON.stringify(text);
  if (roll < 0.92) return `\`\`\`json\n${text}\n\`\`\``;
  return from.pick(["\ufeff", " ", "\n", "\u00a0", "Sure! ", `${header(from)}\n`]) + text;
}

function header(from: Source): string {
  const words = disguise(from, from.pick(RULES.headers));
  return from.chance(0.15) ? wide(words) : words;
}

/** One to three small damages. */
function mutate(from: Source, text: string): string {
  let mutated = text;
  for (let i = 1 + from.below(3); i > 0; i--) {
    const at = from.below(mutated.length + 1);
    const end = Math.min(mutated.length, at + from.below(6));
    const [head, slice, tail] = [mutated.slice(0, at), mutated.slice(at, end), mutated.slice(end)];
    switch (from.below(6)) {
      case 0:
        mutated = head + tail;
        break;
      case 1:
        mutated = head + slice + slice + tail;
        break;
      case 2:
        mutated = head + (from.chance(0.5) ? slice.toUpperCase() : slice.toLowerCase()) + tail;
        break;
      case 3:
        mutated = head + wide(slice) + tail;
        break;
      case 4:
        mutated = head + from.pick(HOSTILE) + slice + tail;
        break;
      default:
        mutated = head + from.pick(LIST_ENTRIES) + slice + tail;
    }
  }
  return mutated;
}
