import { findListed, isMarkOrWhite, jointAfter, type Mention } from "./mentions.ts";
import { RULES } from "./rules.ts";
import {
  asciiLower,
  characterSet,
  isBounded,
  isLineEnd,
  isWhite,
  isWholeWord,
  skip,
  skipBack,
} from "./text.ts";

const isSeparator = characterSet(RULES.separators);
const isBeforeLabel = characterSet(RULES.marks + RULES.whiteSpace + RULES.openers);
const isLineCloser = characterSet(RULES.lineClosers);

/**
 * The mentions that the text declares (`final answer: ASK`, `I choose B`) and neither lists nor
 * leaves open. Each mention looks back for its cue, so the text is walked once.
 */
export function findDeclared(text: string, mentions: readonly Mention[]): Mention[] {
  const listed = findListed(text, mentions);
  return mentions.filter((mention, i) => {
    const next = mentions[i + 1];
    const isUndecided = next?.isUpper && jointAfter(text, mention, next) === "comma";
    return (
      !listed[i] &&
      !isUndecided &&
      hasCue(text, mention.start) &&
      (mention.isUpper || closesItsLine(text, mention.end))
    );
  });
}

/** Whether a cue, an optional `is` and an optional separator lead up to `start`. */
function hasCue(text: string, start: number): boolean {
  let at = skipBack(text, start, isBeforeLabel);
  const isSeparated = at > 0 && isSeparator(text, at - 1);
  if (isSeparated) at = skipBack(text, at - 1, isMarkOrWhite);
  const verb = skipBackVerb(text, at);
  // Brackets may stand only directly before the label, so what precedes `is` is walked anew.
  const cueEnd = verb < 0 ? at : skipBack(text, verb, isMarkOrWhite);
  const cue = cueBefore(text, cueEnd);
  if (cue === undefined) return false;
  return isSeparated || verb >= 0 || RULES.freeCueStarts.some((word) => cue.startsWith(word));
}

/** Where the word `is` that ends at `end` begins; -1 when another or no word ends there. */
function skipBackVerb(text: string, end: number): number {
  const start = end - RULES.cueVerb.length;
  if (start < 0 || asciiLower(text.slice(start, end)) !== RULES.cueVerb) return -1;
  return isWholeWord(text, start, end) ? start : -1;
}

const LONGEST_CUE = Math.max(...RULES.cues.map((cue) => cue.length));

/** The bounded cue that ends at `end`, if one does. */
function cueBefore(text: string, end: number): string | undefined {
  const written = asciiLower(text.slice(Math.max(0, end - LONGEST_CUE), end)).replaceAll("’", "'");
  return RULES.cues.find((cue) => written.endsWith(cue) && isBounded(text, end - cue.length, end));
}

function closesItsLine(text: string, end: number): boolean {
  const at = skip(text, end, (t, i) => !isLineEnd(t, i) && (isWhite(t, i) || isLineCloser(t, i)));
  return at === text.length || isLineEnd(text, at);
}
