/** What an element can hold. */
export type Child = Node | string | null;

/**
 * Makes an element. Texts become text nodes, so that nothing in them is markup.
 *
 * @param attributes `class`, `data-…` and the like
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * The element of the page with an id.
 *
 * @throws Error when page and script do not fit
 */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

/**
 * Characters that cannot be seen, or turn the text around them: controls, format characters, lone
 * surrogates and separators, save tab, line feed and the joiners that scripts and emoji need.
 */
const UNSEEN = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Someone else's text, character by character as it is; what cannot be seen is shown by its code. */
export function literal(text: string): HTMLElement {
  const holder = h("bdi");
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    holder.append(text.slice(from, index), h("span", { class: "code" }, codeOf(character)));
    from = index + character.length;
  }
  holder.append(text.slice(from));
  return holder;
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, "0")}`;
}
