import { escapeText, type Markup, trusted } from "./markup.ts";
import { codeOf, UNSEEN } from "./plain-text.ts";

/**
 * Someone else's text, character by character as it is. A character that cannot be seen is marked
 * with its code and kept from turning the text around it; lone surrogates become U+FFFD.
 */
export function literal(text: string): Markup {
  let markup = "";
  let from = 0;
  const whole = text.toWellFormed();
  for (const { 0: character, index } of whole.matchAll(UNSEEN)) {
    markup += `${escapeText(whole.slice(from, index))}${unseen(character)}`;
    from = index + character.length;
  }
  return trusted(`<bdi>${markup}${escapeText(whole.slice(from))}</bdi>`);
}

/** HTML has no way to write most controls, U+0000 above all: of those only the code shows. */
function unseen(character: string): string {
  const isWritable = character > "\x9f";
  return `<i data-code="${codeOf(character)}">${isWritable ? character : ""}</i>`;
}

/** The beginning of a text, at most so many bytes of its UTF-8 form, and how long it is. */
export function cutText(text: string, bytes: number): { shown: string; bytes: number } {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return { shown: text, bytes: encoded.length };
  let end = bytes;
  // Back to the first byte of a character.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--;
  return { shown: encoded.subarray(0, end).toString(), bytes: encoded.length };
}
