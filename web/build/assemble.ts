import { createHash } from "node:crypto";
import type { Deck } from "../page/deck.ts";

/** What the page is made of. */
export interface PageParts {
  /** HTML with one slot for each of the others: `<!-- policy -->`, `<!-- style -->`, … */
  readonly template: string;
  readonly style: string;
  readonly script: string;
  readonly deck: Deck;
}

/**
 * The whole page as one text that needs no other file. Its content policy allows exactly its own
 * script and style, so that nothing in a trace could run or be fetched.
 *
 * @throws Error when script or style would end their element early
 */
export function assemblePage({ template, style, script, deck }: PageParts): string {
  refuseEarlyEnd(script, "script");
  refuseEarlyEnd(style, "style");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const slots: Readonly<Record<string, string>> = {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    style: `<style>${style}</style>`,
    deck: `<script type="application/json" id="deck">${inertJson(deck)}</script>`,
    script: `<script>${script}</script>`,
  };
  // One pass, and a function: nothing that is filled in is read as a slot or as `$&`.
  return template.replace(/<!-- (policy|style|deck|script) -->/g, (_, slot) => slots[slot] ?? "");
}

/** JSON that no HTML parser takes for markup; lone surrogates are escaped by JSON itself. */
function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function refuseEarlyEnd(text: string, element: string): void {
  // `<!--` changes how browsers look for the end of a script.
  if (new RegExp(`</${element}|<!--`, "i").test(text)) {
    throw new Error(`the ${element} holds </${element} or <!--: write it in two parts`);
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
