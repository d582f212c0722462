import type { Mention } from "./mentions.ts";
import { RULES } from "./rules.ts";
import { asciiLower, characterSet, isWhite, isWordAt, skip, skipBack } from "./text.ts";

/** One word of a text and the number of the clause it stands in. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly clause: number;
  /** Without the underscores at its ends, ASCII small letters, `’` as `'`. */
  readonly text: string;
}

/** For each mention, whether the words around it in its clause turn it down. */
export function findNegated(text: string, mentions: readonly Mention[]): boolean[] {
  const words = splitWords(text);
  let at = 0;
  return mentions.map(({ start }) => {
    while (at < words.length && (words[at] as Word).end <= start) at++;
    return isDeniedBefore(words, at) || isDeniedAfter(words, at);
  });
}

function isDeniedBefore(words: readonly Word[], at: number): boolean {
  const clause = words[at]?.clause;
  return words
    .slice(Math.max(0, at - RULES.negatorReach), at)
    .some(
      (word) =>
        word.clause === clause &&
        (includes(RULES.negators, word.text) || word.text.endsWith(RULES.negatedEnding)),
    );
}

/** Whether the words behind say `… isn't`, or `… is not`, `… would be premature` and the like. */
function isDeniedAfter(words: readonly Word[], at: number): boolean {
  const clause = words[at]?.clause;
  const longest = 2;
  const after = words
    .slice(at + 1, at + 1 + longest + RULES.refusalReach)
    .filter((word) => word.clause === clause)
    .map((word) => word.text);
  if (includes(RULES.negatedAfter, after[0])) return true;
  const copula = RULES.copulas.find((verb) => after.slice(0, wordCount(verb)).join(" ") === verb);
  if (copula === undefined) return false;
  const count = wordCount(copula);
  return after
    .slice(count, count + RULES.refusalReach)
    .some((word) => includes(RULES.refusals, word) || word.endsWith(RULES.negatedEnding));
}

function wordCount(phrase: string): number {
  return phrase.split(" ").length;
}

function includes(list: readonly string[], word: string | undefined): boolean {
  return word !== undefined && list.includes(word);
}

const isUnderscore = characterSet("_");
const isApostrophe = characterSet(RULES.apostrophes);
const isClauseEnd = characterSet(RULES.clauseEnds);

function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let clause = 0;
  let at = 0;
  while (at < text.length) {
    if (!isWordAt(text, at)) {
      if (endsClause(text, at)) clause++;
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    const word = bareWord(text, at, end);
    if (word === RULES.clauseWord) clause++;
    words.push({ start: at, end, clause, text: word });
    if (word === RULES.clauseWord) clause++;
    at = end;
  }
  return words;
}

function endsClause(text: string, at: number): boolean {
  if (isClauseEnd(text, at)) return true;
  return (
    text[at] === RULES.clauseHyphen && at > 0 && isWhite(text, at - 1) && isWhite(text, at + 1)
  );
}

function wordEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (isWordAt(text, at)) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
    if (!(isApostrophe(text, at) && isWordAt(text, at + 1))) return at;
    at++;
  }
}

function bareWord(text: string, start: number, end: number): string {
  const from = skip(text, start, isUnderscore);
  const bare = text.slice(from, Math.max(from, skipBack(text, end, isUnderscore)));
  return asciiLower(bare).replaceAll("’", "'");
}
