import { isLabel, type Label } from "../../core/intervention.ts";
import { RULES } from "./rules.ts";
import {
  asciiLower,
  asciiUpper,
  characterSet,
  isBounded,
  isWholeWord,
  skip,
  skipBack,
} from "./text.ts";
import type { Letters } from "./types.ts";

/** A bounded label, or in lettered replies a bounded option letter, somewhere in a text. */
export interface Mention {
  /** The label named, or the one that the letter stands for. */
  readonly label: Label;
  readonly start: number;
  readonly end: number;
  readonly isLetter: boolean;
  /** Written in capitals only. */
  readonly isUpper: boolean;
}

const LABEL_PATTERN = lonePattern(RULES.labels);
const LETTERED_PATTERN = lonePattern([...RULES.labels, ...RULES.optionLetters]);

/** Any of the words in any case, touched by no ASCII letter or digit: most that are go no further. */
function lonePattern(words: readonly string[]): RegExp {
  return new RegExp(`(?<![0-9A-Za-z])(?:${words.map(anyCase).join("|")})(?![0-9A-Za-z])`, "g");
}

/** A pattern for ASCII letters in any case; the `i` flag folds by rules that differ by language. */
function anyCase(letters: string): string {
  return [...letters].map((letter) => `[${letter}${asciiLower(letter)}]`).join("");
}

/** All mentions of a text, in order. */
export function findMentions(text: string, letters?: Letters): Mention[] {
  const mentions: Mention[] = [];
  const pattern = letters ? LETTERED_PATTERN : LABEL_PATTERN;
  pattern.lastIndex = 0;
  // Not matchAll: it copies the pattern for every text, which costs more than the search.
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [written] = match;
    const start = match.index;
    const end = start + written.length;
    if (!isBounded(text, start, end)) continue;
    const upper = asciiUpper(written);
    const label = isLabel(upper) ? upper : letters?.[RULES.optionLetters.indexOf(upper)];
    if (label === undefined) continue;
    mentions.push({ label, start, end, isLetter: !isLabel(upper), isUpper: upper === written });
  }
  return mentions;
}

/** Whether a label word for another label than `label` stands in the text. */
export function hasOtherLabelWord(text: string, label: Label): boolean {
  return findMentions(text).some((mention) => mention.isUpper && mention.label !== label);
}

/** Whether the character is white space or a mark. */
export const isMarkOrWhite = characterSet(RULES.marks + RULES.whiteSpace);
const isJoinerMark = characterSet(RULES.joinerMarks);

/** What alone, white space and marks aside, stands between two neighbouring mentions. */
type Joint = "bar" | "word" | "comma" | null;

/** What joins a mention to the next one. */
export function jointAfter(text: string, left: Mention, right: Mention | undefined): Joint {
  if (!right) return null;
  const start = skip(text, left.end, isMarkOrWhite);
  const end = skipBack(text, right.start, isMarkOrWhite);
  if (end - start === 1) {
    if (isJoinerMark(text, start)) return "bar";
    return text[start] === RULES.comma ? "comma" : null;
  }
  if (end <= start || end - start > 3) return null;
  const word = asciiLower(text.slice(start, end));
  const isJoiner = (RULES.joinerWords as readonly string[]).includes(word);
  return isJoiner && isWholeWord(text, start, end) ? "word" : null;
}

/**
 * For each mention, whether it stands in a list: joined by one bar to another mention (a label in
 * any case or a capital letter), or by one `or` or `and` to another in capitals.
 */
export function findListed(text: string, mentions: readonly Mention[]): boolean[] {
  const listed = mentions.map(() => false);
  for (let i = 0; i + 1 < mentions.length; i++) {
    const left = mentions[i] as Mention;
    const right = mentions[i + 1] as Mention;
    const joint = jointAfter(text, left, right);
    if (joint !== "bar" && joint !== "word") continue;
    if (right.isUpper || (joint === "bar" && !right.isLetter)) listed[i] = true;
    if (left.isUpper || (joint === "bar" && !left.isLetter)) listed[i + 1] = true;
  }
  return listed;
}
