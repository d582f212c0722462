import { LABELS } from "../../src/core/intervention.ts";
import { RULES } from "../../src/task/parse/rules.ts";
import type { Source } from "./fuzz-source.ts";

/** Characters and scraps that parsers of different languages take differently. */
export const HOSTILE: readonly string[] = [
  ..."\u0000\u0008\u000b\u000c\u001c\u001f\u007f\u0085\u00a0\u00ad\u00e9\u0131\u017f\u0301\u0405\u2003\u200b\u2028\u2160\u212a\u3000\ufeff\ufffd",
  "\ud800",
  "\udc00",
  "\ud83d\ude00",
  "\ud835\udc00",
  "\u4e2d",
  "\uff21\uff33\uff2b",
  "\uff1a",
  "\uff3f",
  "\r\n",
  "___",
  "''",
  "\\",
  '\\"',
  "\\u0041",
  "\\ud83d",
  "NaN",
  "//",
  "{",
  "}",
  "[",
  "]",
  '"',
  "<",
  ">",
];

/** Every entry of every list in the rules, to be thrown in anywhere. */
export const LIST_ENTRIES: readonly string[] = Object.values(RULES).flatMap((entry) => {
  if (typeof entry === "string") return [...entry, entry];
  return Array.isArray(entry) ? entry.filter((item) => typeof item === "string") : [];
});

const NOISE = [
  "the",
  "build",
  "is",
  "green",
  "owner",
  "asked",
  "ACTION",
  "so",
  "we",
  "a",
  "I",
  "wait",
  "remembered",
  "it",
  "then",
  "deploy",
  "step",
  "because",
  "was",
  "would",
  "be",
  "don\u2019t",
  "isn't",
  "now",
  "caf\u00e9",
  "x_1",
  "E",
  "B",
];

/** A label as somebody might write it. */
export function label(from: Source): string {
  const written = from.pick(LABELS);
  if (from.chance(0.72)) return written;
  return from.pick([
    written.toLowerCase(),
    `${written[0]}${written.slice(1).toLowerCase()}`,
    wide(written),
    `${written}ED`,
    `_${written}_`,
    `${written}_2`,
    `${written}\u00e9`,
    `\u00c9${written}`,
  ]);
}

/** A label, or in lettered replies often an option letter. */
export function choice(from: Source, lettered: boolean): string {
  if (!lettered || from.chance(0.35)) return label(from);
  const letter = from.char(RULES.optionLetters);
  return from.chance(0.85) ? letter : letter.toLowerCase();
}

export function noise(from: Source, most = 5): string {
  const words = Array.from({ length: 1 + from.below(most) }, () => from.pick(NOISE));
  return words.join(from.chance(0.9) ? " " : from.pick(["\n", ", ", "  ", "-", " - "]));
}

/** White space and marks, mostly little. */
export function gap(from: Source): string {
  if (from.chance(0.6)) return from.pick(["", " "]);
  return Array.from({ length: 1 + from.below(3) }, () =>
    from.char(RULES.whiteSpace + RULES.marks),
  ).join("");
}

/** ASCII in full-width forms. */
export function wide(text: string): string {
  return text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
}

/** A text in another case or width than the rules list it. */
export function disguise(from: Source, text: string): string {
  const roll = from.random();
  if (roll < 0.6) return text;
  if (roll < 0.8) return text.toUpperCase();
  return roll < 0.9
    ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
    : text.replace("'", "\u2019");
}
