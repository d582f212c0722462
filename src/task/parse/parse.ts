import { parseLenient } from "./lenient.ts";
import { clean, dropPrompt, prepare } from "./prepare.ts";
import { parseStrict } from "./strict.ts";
import { type LenientParse, type ParseOptions, type StrictParse, unread } from "./types.ts";

/** Both readings of one answer. */
export interface Parses {
  readonly strict: StrictParse;
  readonly lenient: LenientParse;
}

/** The rung that a strictly readable answer decides on when it is read leniently. */
const OBJECT_RUNG = 3;
const WHOLE_REPLY_RUNG = 6;

/**
 * Reads an answer strictly and leniently, by the ladder in `docs/parse-rules.md`. Any text gives
 * two parses, in time linear in its length; none throws. Strict success implies the same
 * lenient label.
 */
export function parse(answer: string, { letters, prompt, endTokens }: ParseOptions = {}): Parses {
  const text = clean(answer);
  if (text === null) return { strict: unread("too_long"), lenient: unread("too_long") };
  const prepared = prepare(text, endTokens);
  const strict = parseStrict(prepared, letters);
  if (strict.label !== null) {
    const rung = letters ? WHOLE_REPLY_RUNG : OBJECT_RUNG;
    return { strict, lenient: { label: strict.label, rung } };
  }
  const isObject = prepared.kind === "object" || (prepared.kind === "nothing" && prepared.isObject);
  const withoutPrompt = isObject ? null : dropPrompt(text, prompt);
  const rest = withoutPrompt === null ? prepared : prepare(withoutPrompt, endTokens);
  return { strict, lenient: parseLenient(rest, letters) };
}
