/**
 * Characters that show nothing or move others about: controls except tab and line feed, format
 * characters such as the marks that turn the direction of writing, line separators. The joiners
 * U+200C and U+200D are left alone, since scripts and emoji need them.
 */
export const UNSEEN = /(?!\t|\n|\u200c|\u200d|[\u0600-\u0605\u06dd])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** How a character is called, such as `U+202E`. */
export function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A text that can stand anywhere and changes nothing around it: unseen characters are spelt out in
 * brackets, lone surrogates become U+FFFD.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(UNSEEN, (character) => `[${codeOf(character)}]`);
}

/** A text of at most so many columns, the last one an ellipsis when something was cut. */
export function shorten(text: string, columns: number): string {
  const characters = [...plainText(text).replaceAll(/[\t\n]/g, " ")];
  let used = 0;
  const end = characters.findIndex((character) => {
    used += columnsOf(character);
    return used > columns;
  });
  if (end < 0) return characters.join("");
  return `${characters.slice(0, Math.max(0, end - 1)).join("")}…`;
}

/** Ideographs, Hangul and emoji take about twice the room of a letter. */
function columnsOf(character: string): number {
  return (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
}
