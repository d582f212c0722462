import { SteerError } from "../core/errors.ts";
import { HIDDEN_SCORE } from "./decoder/attention.ts";
import type { DecoderConfig } from "./decoder/config.ts";
import { type Feeds, floats, integers } from "./tensor-data.ts";

/** An answer to a prompt, each of its tokens with its weight in the loss. */
export interface Answer {
  /** Never empty. Under a loss over letters: one, a place in the list of letters. */
  readonly targets: readonly number[];
  /** One for each target. */
  readonly weights: readonly number[];
}

/** A prompt with all answers that are trained in one row behind it. Neither is ever empty. */
export interface BatchRow {
  readonly prompt: readonly number[];
  readonly answers: readonly Answer[];
}

/** Inputs of a training graph; P runs through rows, their answers and the answers' targets. */
export interface Batch {
  readonly feeds: Feeds;
  /** Number of targets: P. */
  readonly targets: number;
  /** Tokens read, filler left out. */
  readonly tokens: number;
}

/** A token of a row: what it is, where it stands, and the answer it belongs to (-1: the prompt). */
interface Token {
  readonly id: number;
  readonly position: number;
  readonly answer: number;
}

/** Stands behind the end of shorter rows, where no other token sees it. */
const FILLER: Token = { id: 0, position: 0, answer: Number.NaN };

/**
 * Lays out prompts and answers for a training graph. Several answers of one row share their prompt:
 * it is read once, each answer sees it and itself, and counts its positions from the prompt's end.
 * So the loss is the one of separate rows, at a fraction of the work.
 *
 * The last target of an answer is predicted, but not read.
 *
 * @throws SteerError `impossible` for a row beyond the context limit, `invalid` for an empty part or
 * a token id that the vocabulary does not have: the runtime takes negative ids without a word, and
 * complains of the others from deep inside
 */
export function layOutBatch(rows: readonly BatchRow[], config: DecoderConfig): Batch {
  const tokens = rows.map(tokensOf);
  rows.forEach((row, r) => {
    checkRow(row, r, config);
  });
  const length = Math.max(...tokens.map((row) => row.length));
  const filled = tokens.map((row) => Array.from({ length }, (_, i) => row[i] ?? FILLER));
  const all = filled.flat();
  const selected = rows.flatMap((row, r) => selectedOf(row).map((place) => r * length + place));
  const answers = rows.flatMap((row) => row.answers);
  const targets = answers.flatMap((answer) => answer.targets);
  const weights = answers.flatMap((answer) => answer.weights);
  if (weights.length !== targets.length) throw new Error("each target needs one weight");
  const dims = [rows.length, length];
  return {
    feeds: {
      ids: integers(
        all.map(({ id }) => id),
        dims,
      ),
      positions: integers(
        all.map(({ position }) => position),
        dims,
      ),
      mask: floats(maskOf(filled, length), [rows.length, 1, length, length]),
      selected: integers(selected, [selected.length]),
      targets: integers(targets, [targets.length]),
      weights: floats(Float32Array.from(weights), [weights.length]),
    },
    targets: targets.length,
    tokens: tokens.reduce((sum, row) => sum + row.length, 0),
  };
}

function tokensOf({ prompt, answers }: BatchRow): Token[] {
  return [
    ...prompt.map((id, position) => ({ id, position, answer: -1 })),
    ...answers.flatMap(({ targets }, answer) =>
      targets.slice(0, -1).map((id, i) => ({ id, position: prompt.length + i, answer })),
    ),
  ];
}

/** Places in a row at which its targets are predicted, one before each. */
function selectedOf({ prompt, answers }: BatchRow): number[] {
  let start = prompt.length;
  return answers.flatMap(({ targets }) => {
    const places = targets.map((_, i) => (i === 0 ? prompt.length - 1 : start + i - 1));
    start += targets.length - 1;
    return places;
  });
}

function maskOf(rows: readonly (readonly Token[])[], length: number): Float32Array {
  const mask = new Float32Array(rows.length * length * length).fill(HIDDEN_SCORE);
  rows.forEach((row, r) => {
    row.forEach(({ answer }, i) => {
      const start = (r * length + i) * length;
      for (let j = 0; j <= i; j++) {
        const seen = row[j]?.answer;
        if (i === j || seen === -1 || seen === answer) mask[start + j] = 0;
      }
    });
  });
  return mask;
}

function checkRow({ prompt, answers }: BatchRow, r: number, config: DecoderConfig): void {
  const { vocabulary, context } = config;
  const targets = answers.map((answer) => answer.targets);
  if (prompt.length === 0 || targets.some((own) => own.length === 0)) {
    throw new SteerError("invalid", `row ${r} has an empty prompt or answer`);
  }
  const needed = prompt.length + Math.max(...targets.map((own) => own.length)) - 1;
  if (needed > context) {
    const message = `row ${r} needs ${needed} positions, and the model has ${context}`;
    throw new SteerError("impossible", `${message}; shorten its prompt or answer`);
  }
  const isForeign = (id: number) => !Number.isInteger(id) || id < 0 || id >= vocabulary;
  const foreign = [...prompt, ...targets.flat()].find(isForeign);
  if (foreign !== undefined) {
    const message = `row ${r} holds token id ${foreign}`;
    throw new SteerError("invalid", `${message}, which is none of 0 to ${vocabulary - 1}`);
  }
}
