import type { Label } from "../../core/intervention.ts";
import { findDeclared } from "./declaration.ts";
import { readJsonString } from "./json-object.ts";
import { disagree, hasContradiction, isOptionLetter } from "./lettered.ts";
import { findListed, findMentions, type Mention } from "./mentions.ts";
import { findNegated } from "./negation.ts";
import { findSpans, labelOf, readKeyMark, readSpan, type Span } from "./objects.ts";
import type { Prepared } from "./prepare.ts";
import { RULES } from "./rules.ts";
import { anyForm, asciiLower, fold, trim, trimEdges } from "./text.ts";
import { type LenientParse, type Letters, unread } from "./types.ts";

/** Reads the choice wherever the answer states it: the first rung that decides, decides. */
export function parseLenient(prepared: Prepared, letters?: Letters): LenientParse {
  if (prepared.kind === "nothing") return unread(prepared.reason);
  const text = prepared.kind === "object" ? prepared.text : unwrap(cutAtHeader(prepared.text));
  if (text === "") return unread("empty", 2);
  if (letters) return readProse(text, letters);
  const spans = findSpans(text);
  const decided = readObjects(text, spans);
  if (decided) return decided;
  const rest = withoutSpans(text, spans);
  return readBroken(rest) ?? readProse(beforeBroken(rest));
}

/** A line that begins like a prompt; the text is trimmed, so its first line is never blank. */
const HEADER = new RegExp(
  `[${RULES.lineEnds}][${withoutLineEnds(RULES.whiteSpace)}]*(?:${RULES.headers.map(anyForm).join("|")})`,
);

function withoutLineEnds(characters: string): string {
  return [...characters].filter((character) => !RULES.lineEnds.includes(character)).join("");
}

/** Rung 1: the text before a line that begins a new prompt. */
function cutAtHeader(text: string): string {
  const at = text.search(HEADER);
  return at < 0 ? text : trim(text.slice(0, at));
}

/** Rung 2: the content of a text that is one JSON string. */
function unwrap(text: string): string {
  const string = readJsonString(text, 0);
  return string?.end === text.length ? trim(string.value) : text;
}

/** Rung 3: the last object that says something, unless it contradicts those it is glued to. */
function readObjects(text: string, spans: readonly Span[]): LenientParse | null {
  const votes = spans.map((span) => readSpan(text, span));
  const last = votes.findLastIndex((vote) => vote !== "silent");
  const vote = votes[last];
  if (vote === undefined || vote === "silent") return null;
  const voters = votes.filter((each) => each !== "silent" && each !== "invalid").length;
  const multiple = voters > 1 ? { multiple: true as const } : {};
  for (let i = last; i > 0 && votes[i - 1] !== "silent"; i--) {
    const gap = text.slice((spans[i - 1] as Span).end, (spans[i] as Span).start);
    if (trim(gap) !== "") break;
    if (votes[i - 1] !== vote) return { ...unread("conflicting", 3), ...multiple };
  }
  if (vote === "invalid") return { ...unread("invalid_label", 3), ...multiple };
  return { label: vote, rung: 3, ...multiple };
}

/** The text with each complete object replaced by a line feed. */
function withoutSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const starts = [0, ...spans.map((span) => span.end)];
  return starts.map((start, i) => text.slice(start, spans[i]?.start)).join("\n");
}

/** Rung 4: the first key mark of an object that never closes. */
function readBroken(text: string): LenientParse | null {
  const vote = brokenVote(text);
  if (vote === null || vote === "silent") return null;
  return vote === "invalid" ? unread("invalid_label", 4) : { label: vote, rung: 4 };
}

/** What rung 4 leaves to the later rungs: a restated format is not prose. */
function beforeBroken(text: string): string {
  return brokenVote(text) === "silent" ? text.slice(0, text.indexOf("{")) : text;
}

function brokenVote(text: string) {
  const brace = text.indexOf("{");
  return brace < 0 ? null : readKeyMark(text, brace + 1);
}

/** Rungs 5 to 7: what is said outside objects. */
function readProse(text: string, letters?: Letters): LenientParse {
  const mentions = findMentions(text, letters);
  const declared = findDeclared(text, mentions);
  if (letters && hasContradiction(text, mentions, findCounting(text, mentions), declared)) {
    return unread("conflicting", 5);
  }
  const last = declared.at(-1);
  if (letters && disagree(declared)) return unread("conflicting", 5);
  if (last) return { label: last.label, rung: 5 };
  const whole = readWhole(text, letters);
  if (whole) return { label: whole, rung: 6 };
  const counting = findCounting(text, mentions);
  if (letters && disagree(counting)) return unread("conflicting", 7);
  const [label, ...others] = new Set(counting.map((mention) => mention.label));
  if (label === undefined) return unread("no_label", 7);
  return others.length > 0 ? unread("several_labels", 7) : { label, rung: 7 };
}

/** Rung 6: the label, or the option letter, that is the whole reply. */
function readWhole(text: string, letters?: Letters): Label | null {
  const reply = trimEdges(fold(text));
  const label = labelOf(reply);
  if (label || !letters || reply.length !== 1) return label;
  return letters[asciiLower(RULES.optionLetters).indexOf(asciiLower(reply))] ?? null;
}

/** Rung 7: the label words, and in lettered replies option letters, neither listed nor negated. */
function findCounting(text: string, mentions: readonly Mention[]): Mention[] {
  const candidates = mentions.map((m) => (m.isLetter ? isOptionLetter(text, m) : m.isUpper));
  if (!candidates.includes(true)) return [];
  const listed = findListed(text, mentions);
  const negated = findNegated(text, mentions);
  return mentions.filter((_, i) => candidates[i] && !listed[i] && !negated[i]);
}
