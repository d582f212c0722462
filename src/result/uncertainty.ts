import { asciiLower, isWholeWord } from "../task/parse/text.ts";

/**
 * The words and phrases that the uncertainty-language proxy looks for. It is a proxy: it sees that
 * an answer hedges, not whether the model has reason to. The list is fixed so that rates of
 * different runs compare; changing it changes every such rate.
 */
export const UNCERTAINTY_PHRASES = [
  "maybe",
  "perhaps",
  "possibly",
  "probably",
  "likely",
  "unlikely",
  "might",
  "may be",
  "could be",
  "seems",
  "seem",
  "appears",
  "unsure",
  "not sure",
  "not certain",
  "uncertain",
  "unclear",
  "not clear",
  "i think",
  "i believe",
  "i guess",
  "i assume",
  "it depends",
  "hard to say",
  "cannot tell",
  "can't tell",
  "do not know",
  "don't know",
] as const;

/** Whether a text holds one of {@link UNCERTAINTY_PHRASES} as whole words, in any ASCII case. */
export function isHedged(text: string): boolean {
  const lower = asciiLower(text)
    .replaceAll("’", "'")
    .replace(/[ \t\r\n]+/g, " ");
  return UNCERTAINTY_PHRASES.some((phrase) => holdsWords(lower, phrase));
}

function holdsWords(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (isWholeWord(text, at, at + phrase.length)) return true;
  }
  return false;
}
