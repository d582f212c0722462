import { expect, test } from "vitest";
import { layOutBatch } from "../../src/graph/batch.ts";
import { buildCachedGraph } from "../../src/graph/cached-graph.ts";
import { HIDDEN_SCORE } from "../../src/graph/decoder/attention.ts";
import { type Feeds, floats, integers } from "../../src/graph/tensor-data.ts";
import { growCache, openCache, storeAdded, type TokenCache } from "../../src/graph/token-cache.ts";
import { buildTrainingGraph } from "../../src/graph/training-graph.ts";
import {
  numbersOf,
  openGraph,
  relativeError,
  type Session,
  SMALL,
  SMALL_LORA,
  smallModel,
} from "./support.ts";

const OPTIONS = {
  config: SMALL,
  lora: SMALL_LORA,
  weights: "inputs",
  adapter: "inputs",
} as const;
const PROMPT = [4, 9, 30, 2, 2, 17];
const TEXT = [...PROMPT, 3, 1, 4, 1, 5];

interface Token {
  readonly id: number;
  readonly position: number;
  /** Places among the cached tokens, and the new ones behind them, that it sees. */
  readonly sees: (place: number) => boolean;
}

async function openSmall(): Promise<{ session: Session; model: Feeds }> {
  const { weightFeeds, adapterFeeds } = smallModel();
  const session = await openGraph(buildCachedGraph(OPTIONS));
  return { session, model: { ...weightFeeds, ...adapterFeeds } };
}

/** Runs a graph on new tokens of one row; places of the cache that are not in use are hidden. */
function run(session: Session, model: Feeds, cache: TokenCache, tokens: readonly Token[]) {
  const { capacity, length, past } = cache;
  const count = tokens.length;
  const mask = tokens.flatMap(({ sees }) =>
    Array.from({ length: capacity + count }, (_, key) => {
      const place = key < capacity ? key : length + key - capacity;
      const isUnused = key >= length && key < capacity;
      return !isUnused && sees(place) ? 0 : HIDDEN_SCORE;
    }),
  );
  return session.run({
    ...model,
    ...past,
    ids: integers(
      tokens.map(({ id }) => id),
      [1, count],
    ),
    positions: integers(
      tokens.map(({ position }) => position),
      [1, count],
    ),
    mask: floats(Float32Array.from(mask), [1, 1, count, capacity + count]),
    selected: integers([...tokens.keys()], [count]),
  });
}

/** The same, with the new tokens kept in the cache; the logits of all of them. */
async function read(
  session: Session,
  model: Feeds,
  cache: TokenCache,
  tokens: readonly Token[],
): Promise<Float32Array> {
  const outputs = await run(session, model, cache, tokens);
  storeAdded(cache, outputs);
  return numbersOf(outputs, "logits");
}

/** Tokens from a place on, each of which sees all before it. */
function inTurn(ids: readonly number[], from = 0): Token[] {
  return ids.map((id, i) => {
    return { id, position: from + i, sees: (place) => place <= from + i };
  });
}

/** Log-probability of a token under one row of logits. */
function logpOf(logits: Float32Array, row: number, token: number): number {
  const own = logits.subarray(row * SMALL.vocabulary, (row + 1) * SMALL.vocabulary);
  const total = own.reduce((sum, value) => sum + Math.exp(value), 0);
  return (own[token] as number) - Math.log(total);
}

test("reading a text in pieces gives the logits of reading it whole", async () => {
  const { session, model } = await openSmall();
  const empty = openCache(SMALL, 1, 0);
  const whole = numbersOf(await run(session, model, empty, inTurn(TEXT)), "logits");
  const cache = openCache(SMALL, 1, 16);
  const pieces = [
    await read(session, model, cache, inTurn(TEXT.slice(0, 4))),
    await read(session, model, cache, inTurn(TEXT.slice(4, 5), 4)),
    await read(session, model, cache, inTurn(TEXT.slice(5), 5)),
  ];
  const joined = Float32Array.from(pieces.flatMap((piece) => [...piece]));
  expect(relativeError(joined, whole)).toBeLessThan(1e-5);
});

test("a full cache takes no more, and a grown one holds the same tokens", async () => {
  const { session, model } = await openSmall();
  const whole = numbersOf(
    await run(session, model, openCache(SMALL, 1, 0), inTurn(TEXT)),
    "logits",
  );
  const tight = openCache(SMALL, 1, 6);
  await read(session, model, tight, inTurn(PROMPT));
  const next = inTurn(TEXT.slice(6), 6);
  await expect(read(session, model, tight, next)).rejects.toThrow("no room for 5 tokens");
  const grown = growCache(tight, 14);
  const rest = await read(session, model, grown, next);
  expect(relativeError(rest, whole.subarray(6 * SMALL.vocabulary))).toBeLessThan(1e-5);
});

test("answers written side by side behind one prompt have the log-probabilities of training", async () => {
  const { session, model } = await openSmall();
  const answers = [
    [3, 1, 4, 1],
    [9, 2, 6, 5],
    [5, 8, 9, 7],
  ];
  const cache = openCache(SMALL, 1, 20);
  const prompt = await read(session, model, cache, inTurn(PROMPT));
  const written = answers.map((answer) => [logpOf(prompt, PROMPT.length - 1, answer[0] as number)]);
  for (let step = 0; step < 3; step++) {
    // One token of each answer; it sees the prompt and what its own answer has written so far.
    const tokens = answers.map((answer, own): Token => {
      const isOwn = (place: number) => (place - PROMPT.length) % answers.length === own;
      const sees = (place: number) => place < PROMPT.length || isOwn(place);
      return { id: answer[step] as number, position: PROMPT.length + step, sees };
    });
    const logits = await read(session, model, cache, tokens);
    answers.forEach((answer, own) => {
      written[own]?.push(logpOf(logits, own, answer[step + 1] as number));
    });
  }
  const training = await openGraph(
    buildTrainingGraph({ ...OPTIONS, trained: "nothing" }, "vocabulary").bytes,
  );
  const weights = [1, 1, 1, 1];
  const row = { prompt: PROMPT, answers: answers.map((targets) => ({ targets, weights })) };
  const expected = await training.run({ ...model, ...layOutBatch([row], SMALL).feeds });
  const found = Float32Array.from(written.flat());
  expect(relativeError(found, numbersOf(expected, "logp"))).toBeLessThan(1e-5);
});
