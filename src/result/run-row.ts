import type { z } from "zod";
import type { Parse } from "../task/parse/types.ts";
import type { LetterPass } from "./decision.ts";
import type {
  decisionRowSchema,
  errorRowSchema,
  generativeRowSchema,
  StoredParse,
} from "./run-schema.ts";

/** Which answer a row holds: the `sample`-th, from 0, to the trace `id`. */
export interface RowKey {
  readonly id: string;
  readonly sample: number;
}

/** A written answer with both its parses. */
export interface GenerativeRow extends RowKey {
  readonly text: string;
  readonly finish: string | null;
  readonly tokens: number | null;
  /** Thoughts that the model gave apart from its answer. */
  readonly reasoning?: string | undefined;
  readonly strict: StoredParse;
  readonly lenient: StoredParse;
  /** Lone surrogates that storing replaced by U+FFFD. */
  readonly replaced?: number | undefined;
}

/** Letter scores under one order of the choices or several; `strict` and `lenient` both hold the pick. */
export interface DecisionRow extends RowKey {
  readonly passes: readonly [LetterPass, ...LetterPass[]];
  readonly strict: StoredParse;
  readonly lenient: StoredParse;
}

/** A failure in the place of an answer; a later answer of the same key supersedes it. */
export interface ErrorRow extends RowKey {
  readonly error: { readonly code: string; readonly message: string };
}

export type AnswerRow = GenerativeRow | DecisionRow;
export type RunRow = AnswerRow | ErrorRow;

/** The key as one text. */
export function keyText({ id, sample }: RowKey): string {
  return JSON.stringify([id, sample]);
}

export function isErrorRow(row: RunRow): row is ErrorRow {
  return "error" in row;
}

export function isDecisionRow(row: AnswerRow): row is DecisionRow {
  return "passes" in row;
}

/** A parse without its rung, for storing. */
export function storedParse(parse: Parse<string>): StoredParse {
  const multiple = parse.multiple && { multiple: parse.multiple };
  return parse.label === null
    ? { label: null, reason: parse.reason, ...multiple }
    : { label: parse.label, ...multiple };
}

type StoredAnswer = z.infer<typeof generativeRowSchema> | z.infer<typeof decisionRowSchema>;
export type StoredRow = StoredAnswer | z.infer<typeof errorRowSchema>;

/**
 * The line of a row, without its line end. Lone surrogates become U+FFFD and are counted; numbers
 * that are not finite become the markers `"-inf"`, `"inf"` and `"nan"` and are counted; line
 * separators that some readers split at are escaped.
 */
export function rowLine(row: RunRow): string {
  return JSON.stringify(toStored(row)).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function toStored(row: RunRow): StoredRow {
  const { id, sample } = row;
  if (isErrorRow(row)) {
    const { code, message } = row.error;
    return { id, sample, error: { code, message: message.toWellFormed() } };
  }
  const { strict, lenient } = row;
  if (!isDecisionRow(row)) {
    const { tokens } = row;
    const replaced = (row.replaced ?? 0) + countLoneSurrogates(row.text);
    const text = row.text.toWellFormed();
    const finish = row.finish?.toWellFormed() ?? null;
    const thought = row.reasoning !== undefined && { reasoning: row.reasoning.toWellFormed() };
    const common = { id, sample, text, finish, tokens, ...thought, strict, lenient };
    return replaced > 0 ? { ...common, replaced } : common;
  }
  const [first, ...others] = row.passes;
  const nonFinite = row.passes
    .flatMap(({ logprobs, letterMass }) => [...logprobs, letterMass])
    .filter((value) => !Number.isFinite(value)).length;
  return {
    id,
    sample,
    text: null,
    finish: null,
    tokens: null,
    ...storedPass(first),
    ...(others.length > 0 && { rotated: others.map(storedPass) }),
    ...(nonFinite > 0 && { nonFinite }),
    strict,
    lenient,
  };
}

/** The inverse of {@link rowLine}, from a line's validated JSON. */
export function fromStored(row: StoredRow): RunRow {
  const { id, sample } = row;
  if ("error" in row) return { id, sample, error: row.error };
  const { strict, lenient } = row;
  if (row.text !== null) {
    const { text, finish, tokens, reasoning, replaced } = row;
    return { id, sample, text, finish, tokens, reasoning, strict, lenient, replaced };
  }
  const passes = [readPass(row), ...(row.rotated ?? []).map(readPass)] as const;
  return { id, sample, passes, strict, lenient };
}

type StoredPass = NonNullable<z.infer<typeof decisionRowSchema>["rotated"]>[number];

function storedPass({ offset, logprobs, letterMass }: LetterPass): StoredPass {
  return { offset, logprobs: logprobs.map(toMarker), letterMass: toMarker(letterMass) };
}

function readPass({ offset, logprobs, letterMass }: StoredPass): LetterPass {
  return { offset, logprobs: logprobs.map(fromMarker), letterMass: fromMarker(letterMass) };
}

type StoredNumber = StoredPass["letterMass"];

function toMarker(value: number): StoredNumber {
  if (Number.isNaN(value)) return "nan";
  if (Number.isFinite(value)) return value;
  return value > 0 ? "inf" : "-inf";
}

/** The number that a stored value stands for. */
export function fromMarker(value: StoredNumber): number {
  switch (value) {
    case "-inf":
      return Number.NEGATIVE_INFINITY;
    case "inf":
      return Number.POSITIVE_INFINITY;
    case "nan":
      return Number.NaN;
    default:
      return value;
  }
}

function countLoneSurrogates(text: string): number {
  if (text.isWellFormed()) return 0;
  return [...text].filter((character) => !character.isWellFormed()).length;
}
