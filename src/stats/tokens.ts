/** Runs of letters, marks and digits; an apostrophe between two of them belongs to the word. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;

/**
 * The words of a text in lower case, without punctuation: `"Don't deploy v2.1"` gives
 * `don't, deploy, v2, 1`. With `bigrams`, each pair of neighbours follows as `"don't deploy"`.
 */
export function wordTokens(
  text: string,
  { bigrams = false }: { readonly bigrams?: boolean } = {},
): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  if (!bigrams) return [...words];
  return [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)];
}
