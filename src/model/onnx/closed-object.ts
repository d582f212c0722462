import { readJsonObject } from "../../task/parse/json-object.ts";
import { findSpans, readSpan } from "../../task/parse/objects.ts";
import { RULES } from "../../task/parse/rules.ts";

/**
 * Whether an answer has come to its end: a complete JSON object that names an intervention has
 * closed, outside of a thinking block. What a model would write after it cannot make the decision
 * clearer, and most small models never stop by themselves. An object that names none, or restates
 * the format, ends nothing.
 */
export function hasClosedObject(text: string): boolean {
  const answer = afterThinking(text);
  return findSpans(answer).some(
    (span) =>
      readJsonObject(answer, span.start)?.end === span.end && readSpan(answer, span) !== "silent",
  );
}

/** The text behind the last end of a thinking block; nothing while one is open. */
function afterThinking(text: string): string {
  const start = text.trimStart();
  const ends = RULES.thinkClose
    .filter((tag) => start.includes(tag))
    .map((tag) => start.lastIndexOf(tag) + tag.length);
  if (ends.length > 0) return start.slice(Math.max(...ends));
  return RULES.thinkOpen.some((tag) => start.startsWith(tag)) ? "" : start;
}
