import { LABELS, type Label } from "../../core/intervention.ts";
import { readJsonObject } from "./json-object.ts";
import { hasOtherLabelWord } from "./mentions.ts";
import { RULES } from "./rules.ts";
import { asciiUpper, characterSet, fold, isBounded, isWhite, skip, trimEdges } from "./text.ts";

/** What one object, or one value, says: a label, a name that is none, or nothing. */
export type Vote = Label | "invalid" | "silent";

/** A brace-balanced part of a text, `end` behind its closing brace. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The outermost complete brace-balanced spans, in one pass. A double quote opens a string only
 * inside a span; braces inside a string do not count.
 */
export function findSpans(text: string): Span[] {
  const spans: Span[] = [];
  const open: number[] = [];
  let inString = false;
  for (let i = text.indexOf("{"); i >= 0 && i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
    } else if (character === "{") open.push(i);
    else if (open.length === 0) continue;
    else if (character === '"') inString = true;
    else if (character === "}") {
      const start = open.pop() as number;
      while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
      spans.push({ start, end: i + 1 });
    }
  }
  return spans;
}

/** What the object in `text` from `start` to `end` says. */
export function readSpan(text: string, { start, end }: Span): Vote {
  const object = readJsonObject(text, start);
  if (object === null || object.end !== end) return readKeyMark(text.slice(start, end)) ?? "silent";
  if (object.interventions === 0) return "silent";
  if (object.interventions > 1 || object.intervention === null) return "invalid";
  return readValue(object.intervention);
}

const isQuote = characterSet(RULES.quotes);
const isColon = characterSet(RULES.keyColons);
const endsValue = characterSet(RULES.valueEnds);

/** The vote of the first key mark at or after `from`; null when there is none. */
export function readKeyMark(text: string, from = 0): Vote | null {
  for (let at = text.indexOf(RULES.key, from); at >= 0; at = text.indexOf(RULES.key, at + 1)) {
    const value = valueStart(text, at);
    if (value >= 0)
      return readValue(
        text.slice(
          value,
          skip(text, value, (t, i) => !endsValue(t, i)),
        ),
      );
  }
  return null;
}

/** Where the value of the key mark at `at` begins; -1 when no key mark stands there. */
function valueStart(text: string, at: number): number {
  const keyEnd = at + RULES.key.length;
  const quoteEnd = isQuote(text, keyEnd) ? keyEnd + 1 : keyEnd;
  const colon = skip(text, quoteEnd, isWhite);
  if (!isColon(text, colon) || !isBounded(text, at, keyEnd)) return -1;
  const value = skip(text, colon + 1, isWhite);
  return isQuote(text, value) ? value + 1 : value;
}

const isTail = characterSet(RULES.labelTails);
const ALTERNATIVE = new RegExp(`[${RULES.alternatives}]`);

/** What the value of an `intervention` field says. */
export function readValue(raw: string): Vote {
  const value = trimEdges(fold(raw));
  if (value.length > 1 && value.startsWith("<") && value.endsWith(">")) return "silent";
  if (value.split(ALTERNATIVE).filter((part) => labelOf(trimEdges(part)) !== null).length > 1) {
    return "silent";
  }
  const whole = labelOf(value);
  if (whole) return whole;
  const label = LABELS.find((name) => asciiUpper(value.slice(0, name.length)) === name);
  if (!label) return "invalid";
  const tail = label.length;
  const isSetOff = isWhite(value, tail) || isTail(value, tail);
  return isSetOff && !hasOtherLabelWord(value.slice(tail + 1), label) ? label : "invalid";
}

/** The label that the text is, in any ASCII case. */
export function labelOf(text: string): Label | null {
  // No label is longer, and most values that are none are.
  if (text.length > 8) return null;
  const upper = asciiUpper(text);
  return LABELS.find((label) => label === upper) ?? null;
}
