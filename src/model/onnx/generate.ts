import { randomStream } from "../../core/random.ts";
import type { Generation, ModelFailure, Sampling } from "../model.ts";
import { type KeyValueCache, selectRows } from "./cache.ts";
import { hasClosedObject } from "./closed-object.ts";
import { mixesLengths } from "./decoder-layout.ts";
import { logProbabilities } from "./log-softmax.ts";
import { beginWriting, readOneToken } from "./one-token.ts";
import { drawToken, likeliestToken } from "./sample-token.ts";
import type { DecoderSession } from "./session.ts";
import { type PathMemory, type TreeUnit, visitTree } from "./walk-tree.ts";

/** Which answers a prompt is asked for. */
export interface Asked {
  readonly id: string;
  readonly samples: readonly number[];
}

/** Prompts of a part of the tree, by item. */
export interface GenerateUnit extends TreeUnit {
  readonly asked: ReadonlyMap<number, Asked>;
}

/** What writing needs besides the session. */
export interface Writing {
  readonly sampling: Sampling;
  readonly decode: (ids: readonly number[]) => string;
  /** Tokens that end an answer; they are no part of it. */
  readonly endIds: ReadonlySet<number>;
  readonly contextLength: number;
  /** Called once for each item and sample. */
  readonly emit: (item: number, sample: number, answer: Generation | ModelFailure) => void;
}

/** Rows of one decoding call. More would help little, and each holds a cache of its own. */
export const MOST_ROWS = 8;

/** An answer being written. */
interface Row {
  readonly item: number;
  /** Samples that this answer is for: all of them when it is greedy. */
  readonly samples: readonly number[];
  readonly random: (() => number) | null;
  /** Tokens that may still be written. */
  readonly room: number;
  readonly cache: KeyValueCache;
  readonly ids: number[];
  readonly logprobs: number[];
  logits: Float32Array;
}

/**
 * Answers every prompt of a unit. The keys and values of a prompt are computed once and copied for
 * each of its samples; several answers are written in one call at a time.
 */
export async function generateUnit(
  session: DecoderSession,
  unit: GenerateUnit,
  memory: PathMemory,
  writing: Writing,
): Promise<void> {
  let waiting: Row[] = [];
  await visitTree(session, unit, memory, async (leaves, above) => {
    for (const { tokens, items } of leaves) {
      const read = await session.run({ rows: [tokens], cache: above, last: 1, keep: "cache" });
      for (const item of items) {
        waiting.push(
          ...openRows(item, unit.asked.get(item), read.cache, read.logits(0, 0), writing),
        );
      }
      while (waiting.length >= MOST_ROWS) {
        await writeAll(session, waiting.slice(0, MOST_ROWS), writing);
        waiting = waiting.slice(MOST_ROWS);
      }
    }
  });
  await writeAll(session, waiting, writing);
}

function openRows(
  item: number,
  asked: Asked | undefined,
  cache: KeyValueCache,
  logits: Float32Array,
  { sampling, contextLength }: Writing,
): Row[] {
  const { id, samples } = asked ?? { id: "", samples: [] };
  const room = Math.min(sampling.maxTokens, contextLength - cache.length);
  const common = { item, room, cache, logits };
  if (sampling.temperature === 0) {
    return samples.length === 0
      ? []
      : [{ ...common, samples, random: null, ids: [], logprobs: [] }];
  }
  return samples.map((sample) => {
    const random = randomStream(sampling.seed, "sample", JSON.stringify([id, sample]));
    return { ...common, samples: [sample], random, ids: [], logprobs: [] };
  });
}

/** Writes rows to their ends, in one call a token where the graph can mix their lengths. */
async function writeAll(
  session: DecoderSession,
  rows: readonly Row[],
  writing: Writing,
): Promise<void> {
  const { layout } = session.source.graph;
  const lengths = new Set(rows.map((row) => row.cache.length));
  const groups = mixesLengths(layout)
    ? [rows]
    : [...lengths].map((length) => rows.filter((row) => row.cache.length === length));
  for (const group of groups) await writeTogether(session, group, writing);
}

async function writeTogether(
  session: DecoderSession,
  rows: readonly Row[],
  writing: Writing,
): Promise<void> {
  const { layout } = session.source.graph;
  let active = rows.filter((row) => writeToken(row, writing));
  if (active.length === 0) return;
  let cache = beginWriting(
    layout,
    active.map((row) => row.cache),
  );
  while (active.length > 0) {
    const last = active.map((row) => row.ids.at(-1) as number);
    const step = await readOneToken(session, last, cache);
    active.forEach((row, r) => {
      row.logits = step.logits(r, 0);
    });
    const going = active.map((row) => writeToken(row, writing));
    const kept = [...going.keys()].filter((r) => going[r]);
    cache = kept.length === active.length ? step.cache : selectRows(layout, step.cache, kept);
    active = active.filter((_, r) => going[r]);
  }
}

/** Chooses a row's next token; false, with the answer handed over, when the row has ended. */
function writeToken(row: Row, writing: Writing): boolean {
  const { sampling, decode, endIds } = writing;
  if (row.ids.length >= row.room) return finish(row, "length", writing);
  const token =
    row.random === null ? likeliestToken(row.logits) : drawToken(row.logits, sampling, row.random);
  if (token < 0) return fail(row, writing);
  if (endIds.has(token)) return finish(row, "stop", writing);
  row.ids.push(token);
  if (sampling.tokenLogprobs) row.logprobs.push(...logProbabilities(row.logits, [token]));
  if (decode([token]).includes("}") && hasClosedObject(decode(row.ids))) {
    return finish(row, "stop", writing);
  }
  return row.ids.length < row.room || finish(row, "length", writing);
}

function finish(row: Row, reason: "stop" | "length", { sampling, decode, emit }: Writing): false {
  const answer: Generation = {
    text: decode(row.ids),
    finish: reason,
    tokens: row.ids.length,
    ...(sampling.tokenLogprobs ? { tokenLogprobs: row.logprobs } : {}),
  };
  for (const sample of row.samples) emit(row.item, sample, answer);
  return false;
}

function fail(row: Row, { emit }: Writing): false {
  const message = `the logits of token ${row.ids.length + 1} are not finite`;
  for (const sample of row.samples)
    emit(row.item, sample, { error: { code: "not_finite", message } });
  return false;
}
