import { plainText } from "./plain-text.ts";

/** Text that is HTML already: made by {@link html}, which escapes everything else. */
export interface Markup {
  readonly markup: string;
}

/** What a template takes; nothing is shown for null. */
export type Content = Markup | string | number | null | readonly Content[];

/**
 * HTML in which every text that is filled in shows literally, in an element or in a quoted
 * attribute. What cannot be seen is spelt out, see {@link plainText}.
 */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const parts = strings.map(
    (piece, at) => piece + (at < contents.length ? fill(contents[at]) : ""),
  );
  return { markup: parts.join("") };
}

/** Takes a text as HTML. Only for texts that this project made. */
export function trusted(markup: string): Markup {
  return { markup };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text for an element, where quotes stand for themselves. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, escapeCharacter);
}

/** A text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? character;
}

function fill(content: Content | undefined): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "number") return String(content);
  if (typeof content === "string") return escapeHtml(plainText(content));
  if ("markup" in content) return content.markup;
  return content.map(fill).join("");
}
