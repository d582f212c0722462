import { isMarkOrWhite, type Mention } from "./mentions.ts";
import { RULES } from "./rules.ts";
import { characterSet, isLineEnd, isWhite, skip } from "./text.ts";

const isLetterTail = characterSet(RULES.letterTails);
const isTie = characterSet(RULES.letterTies);
const isOpener = characterSet(RULES.openers);
const isCloser = characterSet(RULES.closers);

/** Whether a capital letter is set off as an option (`B)`, `*B*`), not a word of prose (`A build`). */
export function isOptionLetter(text: string, { end, isUpper }: Mention): boolean {
  const stands = end === text.length || isLetterTail(text, end) || isLineEnd(text, end);
  return isUpper && stands;
}

/** Whether a label and a letter among these mentions name different labels. */
export function disagree(mentions: readonly Mention[]): boolean {
  const letters = new Set(mentions.filter((m) => m.isLetter).map((m) => m.label));
  const labels = new Set(mentions.filter((m) => !m.isLetter).map((m) => m.label));
  return [...letters].some((letter) => [...labels].some((label) => label !== letter));
}

/**
 * Whether a label that counts is tied to a capital letter that stands for another label: on one
 * line after it (`B) ASK`), or directly before it in brackets (`ASK (B)`).
 *
 * @param counting what rung 7 would count
 * @param declared what rung 5 would declare: after such a letter, white space alone ties
 */
export function hasContradiction(
  text: string,
  mentions: readonly Mention[],
  counting: readonly Mention[],
  declared: readonly Mention[],
): boolean {
  const words = new Set(counting.filter((mention) => !mention.isLetter));
  const declaredLetters = new Set(declared);
  return mentions.some((word, i) => {
    if (!words.has(word)) return false;
    const before = mentions[i - 1];
    const after = mentions[i + 1];
    return (
      (isForeignLetter(before, word) && isTied(text, before, word, declaredLetters.has(before))) ||
      (isForeignLetter(after, word) && isInBrackets(text, word, after))
    );
  });
}

function isForeignLetter(letter: Mention | undefined, word: Mention): letter is Mention {
  return letter?.isLetter === true && letter.isUpper && letter.label !== word.label;
}

function isTied(text: string, letter: Mention, word: Mention, isDeclared: boolean): boolean {
  let ties = 0;
  for (let i = letter.end; i < word.start; i++) {
    if (isTie(text, i)) ties++;
    else if (!isWhite(text, i) || isLineEnd(text, i)) return false;
  }
  return ties > 0 || isDeclared;
}

function isInBrackets(text: string, word: Mention, letter: Mention): boolean {
  const opener = skip(text, word.end, isMarkOrWhite);
  return opener + 1 === letter.start && isOpener(text, opener) && isCloser(text, letter.end);
}
