import { type JsonObject, readJsonObject } from "./json-object.ts";
import { RULES } from "./rules.ts";
import { isLongerThan, trim } from "./text.ts";

/** Section 1 of the rules: what is left to read of an answer. */
export type Prepared =
  | { readonly kind: "object"; readonly text: string; readonly object: JsonObject }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "nothing";
      readonly reason: "too_long" | "empty" | "no_answer";
      /** The text is one object and only too long to read, so nothing of it may be cut. */
      readonly isObject?: true;
    };

const BYTE_ORDER_MARK = "\ufeff";

/** Steps 1 and 2: well-formed, without byte-order mark and white space around; null when too long. */
export function clean(answer: string): string | null {
  const text = answer.isWellFormed() ? answer : answer.toWellFormed();
  if (isLongerThan(text, RULES.maxAnswerBytes)) return null;
  return trim(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}

/** Step 4: the text without the prompt that it echoes; null when it does not begin with it. */
export function dropPrompt(text: string, prompt: string | undefined): string | null {
  const echo = prompt === undefined ? null : clean(prompt);
  return echo && text.startsWith(echo) ? trim(text.slice(echo.length)) : null;
}

/** Step 3 and steps 5 to 7, on a cleaned text. */
export function prepare(text: string, endTokens: readonly string[] = []): Prepared {
  const object = wholeObject(text);
  if (object) {
    return isLongerThan(text, RULES.maxReadBytes)
      ? { kind: "nothing", reason: "too_long", isObject: true }
      : { kind: "object", text, object };
  }
  const answer = dropThinking(cutAtEndToken(text, endTokens));
  if (answer === null) return { kind: "nothing", reason: "no_answer" };
  const rest = trim(answer);
  if (isLongerThan(rest, RULES.maxReadBytes)) return { kind: "nothing", reason: "too_long" };
  if (rest === "") return { kind: "nothing", reason: "empty" };
  return { kind: "text", text: rest };
}

/** The object that is the whole text, if one is. */
export function wholeObject(text: string): JsonObject | null {
  const object = readJsonObject(text, 0);
  return object?.end === text.length ? object : null;
}

/** Every known end token and thinking tag begins so; most answers hold none. */
const TAG_START = "<";

function cutAtEndToken(text: string, more: readonly string[]): string {
  let end = text.length;
  const known = text.includes(TAG_START) ? RULES.endTokens : [];
  for (const token of [...known, ...more]) {
    // Half a surrogate pair is no token: it would cut a character in two.
    const at = token === "" || !token.isWellFormed() ? -1 : text.indexOf(token);
    if (at >= 0 && at < end) end = at;
  }
  return text.slice(0, end);
}

/** What follows the thinking; null when it was begun and never ended. */
function dropThinking(text: string): string | null {
  if (!text.includes(TAG_START)) return text;
  let end = -1;
  for (const tag of RULES.thinkClose) {
    const at = text.lastIndexOf(tag);
    if (at >= 0) end = Math.max(end, at + tag.length);
  }
  if (end >= 0) return text.slice(end);
  return RULES.thinkOpen.some((tag) => text.startsWith(tag)) ? null : text;
}
