import { RULES } from "./rules.ts";
import { isWordCode } from "./word-characters.ts";

/** Tells for each position of a text whether its character belongs to a set. */
export type CharacterSet = (text: string, index: number) => boolean;

/** A set of characters of the basic plane, answered by table for ASCII. */
export function characterSet(characters: string): CharacterSet {
  const ascii = new Uint8Array(128);
  const others = new Set<number>();
  for (let i = 0; i < characters.length; i++) {
    const code = characters.charCodeAt(i);
    if (code < 128) ascii[code] = 1;
    else others.add(code);
  }
  return (text, index) => {
    const code = text.charCodeAt(index);
    return code < 128 ? ascii[code] === 1 : others.has(code);
  };
}

export const isWhite = characterSet(RULES.whiteSpace);
export const isLineEnd = characterSet(RULES.lineEnds);
const isEdge = characterSet(RULES.edges);
const isApostrophe = characterSet(RULES.apostrophes);

/** The first position from `index` on whose character is not in the set. */
export function skip(text: string, index: number, set: CharacterSet): number {
  let at = index;
  while (at < text.length && set(text, at)) at++;
  return at;
}

/** The first position at or before `index` with no character of the set directly before it. */
export function skipBack(text: string, index: number, set: CharacterSet): number {
  let at = index;
  while (at > 0 && set(text, at - 1)) at--;
  return at;
}

function trimSet(text: string, set: CharacterSet): string {
  const start = skip(text, 0, set);
  return text.slice(start, Math.max(start, skipBack(text, text.length, set)));
}

/** Without white space (the six ASCII characters) at its ends. */
export function trim(text: string): string {
  return trimSet(text, isWhite);
}

/** Without edge characters (white space, quotes, closing punctuation, brackets) at its ends. */
export function trimEdges(text: string): string {
  return trimSet(text, isEdge);
}

const FULL_WIDTH_SHIFT = 0xfee0;
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** Full-width forms U+FF01–FF5E as their ASCII twins. */
export function fold(text: string): string {
  return text.replace(FULL_WIDTH, (character) =>
    String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_SHIFT),
  );
}

const NOT_ASCII = /[^\0-\x7f]/;

/** ASCII capitals made small; nothing else changes (`toLowerCase` would turn the Kelvin sign into k). */
export function asciiLower(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** ASCII small letters made capital; nothing else changes. */
export function asciiUpper(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toUpperCase();
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** A pattern source for a small-letter text in any ASCII case, its characters full-width or not. */
export function anyForm(text: string): string {
  return [...text]
    .map((character) => {
      const forms = [...new Set([character, asciiUpper(character)])];
      const wide = forms.map((form) => String.fromCharCode(form.charCodeAt(0) + FULL_WIDTH_SHIFT));
      const escaped = forms.map((form) => form.replace(/[\]\\^-]/, "\\$&"));
      return character === " " ? character : `[${[...escaped, ...wide].join("")}]`;
    })
    .join("");
}

/** Whether a word character stands at `index`. */
export function isWordAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  // Past the end the unit is NaN, which no comparison lets through.
  return unit < 0xd800
    ? isWordCode(unit)
    : unit >= 0xd800 && isWordCode(text.codePointAt(index) ?? 0);
}

/** Whether a word character ends directly before `index`. */
export function isWordBefore(text: string, index: number): boolean {
  if (index <= 0) return false;
  const unit = text.charCodeAt(index - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  return isWordCode(isLowSurrogate ? (text.codePointAt(index - 2) ?? unit) : unit);
}

const isUnderscore = characterSet("_");

/** Whether, underscores beside it aside, no word character touches the span. */
export function isBounded(text: string, start: number, end: number): boolean {
  return (
    !isWordBefore(text, skipBack(text, start, isUnderscore)) &&
    !isWordAt(text, skip(text, end, isUnderscore))
  );
}

/**
 * Whether the span, underscores at its ends aside, is a whole word: bounded, and not joined to
 * another word character by an apostrophe (`is` is no whole word in `is'nt`).
 */
export function isWholeWord(text: string, start: number, end: number): boolean {
  const left = skipBack(text, start, isUnderscore);
  const right = skip(text, end, isUnderscore);
  if (isWordBefore(text, left) || isWordAt(text, right)) return false;
  const joinedLeft = left > 0 && isApostrophe(text, left - 1) && isWordBefore(text, left - 1);
  const joinedRight = right < text.length && isApostrophe(text, right) && isWordAt(text, right + 1);
  return !joinedLeft && !joinedRight;
}

/** UTF-8 length of a text without lone surrogates, in bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // A surrogate pair is two units and four bytes, so each half adds one.
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Whether the UTF-8 form has more than `limit` bytes; counts only when it could. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit || (text.length * 3 > limit && utf8Length(text) > limit);
}
