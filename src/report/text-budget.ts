import { cutText, literal } from "./literal.ts";
import { html, type Markup, trusted } from "./markup.ts";

/** No text shows more bytes of its own than this. */
const LONGEST = 4096;

/** Nor takes more in the page, where a character that cannot be seen is marked by thirty. */
const LONGEST_MARKED = 4 * LONGEST;

/** All texts together take about this many bytes at most, so that a page stays under 5 MB. */
const TOGETHER = 2_400_000;

/** A cut below this would show too little to judge an answer by. */
const SHORTEST = 192;

/** A text with more characters or lines than this scrolls in a box of its own. */
const TALL = { characters: 1600, lines: 20 };

/**
 * How many bytes of the page each text may take: as much as the longest text may, and less when
 * there are so many long ones that the page would grow past what a browser likes to open.
 *
 * @param texts every text of the page: answers, messages and situations
 */
export function shareOf(texts: readonly string[]): number {
  const sizes = texts.map((text) => cut(text, LONGEST_MARKED).size);
  sizes.sort((a, b) => a - b);
  let left = TOGETHER;
  for (const [at, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - at));
    // From here on texts are longer than an equal share of what is left.
    if (size > share) return Math.min(LONGEST_MARKED, Math.max(SHORTEST, share));
    left -= size;
  }
  return LONGEST_MARKED;
}

/**
 * A text as the page shows it: literally, cut to its share with a note, and scrolling when it is
 * tall.
 *
 * @param share see {@link shareOf}
 * @param rest where the whole text is
 */
export function shownText(
  text: string,
  share: number,
  {
    tag,
    name,
    rest,
  }: { readonly tag: "pre" | "div"; readonly name: string; readonly rest: string },
): Markup {
  const { shown } = cut(text, share);
  const [shownBytes, bytes] = [Buffer.byteLength(shown), Buffer.byteLength(text)];
  const note =
    shownBytes < bytes
      ? html`<p class="note">cut after ${shownBytes} of ${bytes} bytes; the rest is in ${rest}</p>`
      : null;
  const isTall = shown.length > TALL.characters || (shown.match(/\n/g)?.length ?? 0) >= TALL.lines;
  const scrolls = isTall
    ? html` class="tall" tabindex="0" role="region" aria-label="${name}"`
    : null;
  return html`<${trusted(tag)}${scrolls}>${literal(shown)}</${trusted(tag)}>${note}`;
}

/** The beginning of a text that takes at most so many bytes of its own, and in the page. */
function cut(text: string, most: number): { shown: string; size: number } {
  // Encoding all of a long text to keep its beginning would take most of a report's time.
  const { shown } = cutText(text.slice(0, LONGEST).toWellFormed(), Math.min(most, LONGEST));
  let size = 0;
  let end = 0;
  for (const character of shown) {
    const more = sizeOf(character);
    if (size + more > most) break;
    size += more;
    end += character.length;
  }
  return { shown: shown.slice(0, end), size };
}

/** Bytes that a character takes in the page. */
function sizeOf(character: string): number {
  if (character >= " " && character <= "~" && !"&<>".includes(character)) return 1;
  const known = SIZES.get(character) ?? Buffer.byteLength(literal(character).markup) - FRAME;
  SIZES.set(character, known);
  return known;
}

/** Bytes of the element around a literal text. */
const FRAME = literal("").markup.length;

const SIZES = new Map<string, number>();
