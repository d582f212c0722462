import type { Mention } from "./mentions.ts";
import { RULES } from "./rules.ts";
import { asciiLower, asciiUpper, characterSet, isWhite, isWordAt, skip, skipBack } from "./text.ts";

/** One word of a clause. */
interface Word {
  readonly start: number;
  readonly end: number;
  /** Grows at each `but`, which ends a clause, too. */
  readonly part: number;
}

/** For each mention, whether the words around it in its clause turn it down. */
export function findNegated(text: string, mentions: readonly Mention[]): boolean[] {
  // Mentions come in order, so a clause is split once however many stand in it.
  let clauseEnd = 0;
  let words: readonly Word[] = [];
  let at = 0;
  return mentions.map(({ start }) => {
    if (start >= clauseEnd) {
      const clauseStart = skipBack(text, start, isWithinClause);
      clauseEnd = skip(text, start, isWithinClause);
      words = splitWords(text, clauseStart, clauseEnd);
      at = 0;
    }
    while ((words[at]?.end ?? text.length) <= start) at++;
    return isDeniedBefore(text, words, at) || isDeniedAfter(text, words, at);
  });
}

function isDeniedBefore(text: string, words: readonly Word[], at: number): boolean {
  const first = Math.max(0, at - RULES.negatorReach);
  return wordsBeside(text, words, at, first, at).some((word) => denies(RULES.negators, word));
}

const COPULAS = RULES.copulas.map((copula) => copula.split(" "));
const LONGEST_COPULA = Math.max(...COPULAS.map((copula) => copula.length));

/** Whether the words behind say `… isn't`, or `… is not`, `… would be premature` and the like. */
function isDeniedAfter(text: string, words: readonly Word[], at: number): boolean {
  const end = at + 1 + LONGEST_COPULA + RULES.refusalReach;
  const after = wordsBeside(text, words, at, at + 1, end);
  if (includes(RULES.negatedAfter, after[0])) return true;
  const copula = COPULAS.find((verb) => verb.every((word, i) => after[i] === word));
  if (copula === undefined) return false;
  const refusals = after.slice(copula.length, copula.length + RULES.refusalReach);
  return refusals.some((word) => denies(RULES.refusals, word));
}

function denies(list: readonly string[], word: string): boolean {
  return list.includes(word) || word.endsWith(RULES.negatedEnding);
}

function includes(list: readonly string[], word: string | undefined): boolean {
  return word !== undefined && list.includes(word);
}

/** The bare words from `first` to before `end` that stand in the same part as the word at `at`. */
function wordsBeside(
  text: string,
  words: readonly Word[],
  at: number,
  first: number,
  end: number,
): string[] {
  const beside: string[] = [];
  for (const word of words.slice(first, end)) {
    if (word.part === words[at]?.part) beside.push(bareWord(text, word.start, word.end));
  }
  return beside;
}

const isClauseEnd = characterSet(RULES.clauseEnds);

function isWithinClause(text: string, at: number): boolean {
  if (isClauseEnd(text, at)) return false;
  const isHyphen = text[at] === RULES.clauseHyphen;
  return !(isHyphen && at > 0 && isWhite(text, at - 1) && isWhite(text, at + 1));
}

function splitWords(text: string, start: number, end: number): Word[] {
  const words: Word[] = [];
  let part = 0;
  let at = start;
  while (at < end) {
    if (!isWordAt(text, at)) {
      at++;
      continue;
    }
    const begun = at;
    at = wordEnd(text, at);
    const isBreak = isClauseWord(text, begun, at);
    if (isBreak) part++;
    words.push({ start: begun, end: at, part });
    if (isBreak) part++;
  }
  return words;
}

const isUnderscore = characterSet("_");
const isApostrophe = characterSet(RULES.apostrophes);

function wordEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (isWordAt(text, at)) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    if (!(isApostrophe(text, at) && isWordAt(text, at + 1))) return at;
    at++;
  }
}

const beginsClauseWord = characterSet(
  `_${RULES.clauseWord[0]}${asciiUpper(RULES.clauseWord[0] ?? "")}`,
);

function isClauseWord(text: string, start: number, end: number): boolean {
  return beginsClauseWord(text, start) && bareWord(text, start, end) === RULES.clauseWord;
}

/** A word without the underscores at its ends, in ASCII small letters, `’` as `'`. */
function bareWord(text: string, start: number, end: number): string {
  const from = skip(text, start, isUnderscore);
  const bare = text.slice(from, Math.max(from, skipBack(text, end, isUnderscore)));
  return asciiLower(bare).replaceAll("’", "'");
}
