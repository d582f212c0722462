import { buildCachedGraph } from "../graph/cached-graph.ts";
import { HIDDEN_SCORE } from "../graph/decoder/attention.ts";
import type { DecoderConfig } from "../graph/decoder/config.ts";
import { type Feeds, floats, integers, type TensorData } from "../graph/tensor-data.ts";
import { growCache, openCache, storeAdded, type TokenCache } from "../graph/token-cache.ts";
import { storedWeights } from "./base-model.ts";
import type { Policy } from "./policy.ts";
import { numbersOf, openSession } from "./session.ts";

/** Reads prompts, and then one token of each of their answers at a time. */
export interface Reader {
  /** Reads prompts, one in each row of a cache. */
  begin(prompts: readonly (readonly number[])[]): Promise<Begun>;
  close(): Promise<void>;
}

/** Prompts that were read, behind which answers are written side by side. */
export interface Begun {
  /** Logits of what follows a row's prompt. */
  logits(row: number): Float32Array;
  /**
   * Reads the next token of some answers of each row. An answer goes on behind its row's prompt
   * and its own tokens, and sees nothing of the others.
   *
   * @returns the logits behind a row's token, by its place in the row
   */
  read(
    next: readonly (readonly NextToken[])[],
  ): Promise<(row: number, place: number) => Float32Array>;
}

/** The next token of an answer; answers count from 0 in each row. */
export interface NextToken {
  readonly answer: number;
  readonly token: number;
}

/** Whose token a place of the cache holds: an answer's number, or one of these. */
const PROMPT = -1;
const FILLER = -2;

/** A token to be read. */
interface Token {
  readonly id: number;
  readonly position: number;
  readonly owner: number;
}

const NOTHING: Token = { id: 0, position: 0, owner: FILLER };

/** Steps for which a cache has room when it is made or grown: room that is not used yet costs time. */
const ROOM = 16;

/**
 * Opens a policy's graph for reading with a cache. A frozen model's weights are taken from its file,
 * where the runtime can prepare them for products of few rows; trained ones are read as they stand.
 */
export async function openReader(policy: Policy, threads: number): Promise<Reader> {
  const { base, options, trainedFeeds } = policy;
  const { source, folder } = storedWeights(base);
  const weights = options.trained === "adapter" ? source : "inputs";
  const graph = buildCachedGraph({ ...options, weights });
  // Thousands of small calls: here memory that is asked for anew each time costs more than it saves.
  const session = await openSession(graph, { threads, folder, keepsMemory: true });
  const run: Run = (feeds) => session.run({ ...trainedFeeds, ...feeds });
  return {
    begin: (prompts) => readPrompts(run, base.config, prompts),
    close: () => session.close(),
  };
}

type Run = (feeds: Feeds) => Promise<Record<string, TensorData>>;

async function readPrompts(
  run: Run,
  config: DecoderConfig,
  prompts: readonly (readonly number[])[],
): Promise<Begun> {
  const width = Math.max(...prompts.map(({ length }) => length));
  const rows = prompts.map((prompt) =>
    filled(
      prompt.map((id, position) => ({ id, position, owner: PROMPT })),
      width,
    ),
  );
  const ends = prompts.map(({ length }, r) => r * width + length - 1);
  const nothing = rows.map((): number[] => []);
  const first = await run(feedsOf(openCache(config, rows.length, 0), nothing, rows, ends));

  let cache = openCache(config, rows.length, width + ROOM);
  storeAdded(cache, first);
  const owners = rows.map((row) => row.map(({ owner }) => owner));
  const written = prompts.map(() => new Map<number, number>());
  const toToken = (r: number, { answer, token }: NextToken): Token => {
    const before = written[r]?.get(answer) ?? 0;
    written[r]?.set(answer, before + 1);
    return { id: token, position: (prompts[r]?.length ?? 0) + before, owner: answer };
  };
  const rowOf = (logits: Float32Array, at: number) =>
    logits.subarray(at * config.vocabulary, (at + 1) * config.vocabulary);

  return {
    logits: (row) => rowOf(numbersOf(first, "logits"), row),
    async read(next) {
      const most = Math.max(...next.map(({ length }) => length));
      const tokens = next.map((row, r) =>
        filled(
          row.map((each) => toToken(r, each)),
          most,
        ),
      );
      if (cache.length + most > cache.capacity) {
        cache = growCache(cache, cache.length + most * ROOM);
      }
      const step = await run(feedsOf(cache, owners, tokens, [...tokens.flat().keys()]));
      storeAdded(cache, step);
      tokens.forEach((row, r) => {
        owners[r]?.push(...row.map(({ owner }) => owner));
      });
      const logits = numbersOf(step, "logits");
      return (row, place) => rowOf(logits, row * most + place);
    },
  };
}

function feedsOf(
  cache: TokenCache,
  owners: Owners,
  rows: readonly (readonly Token[])[],
  selected: readonly number[],
): Feeds {
  const [count, length] = [rows.length, rows[0]?.length ?? 0];
  const all = rows.flat();
  return {
    ...cache.past,
    ids: integers(
      all.map(({ id }) => id),
      [count, length],
    ),
    positions: integers(
      all.map(({ position }) => position),
      [count, length],
    ),
    mask: floats(maskOf(owners, rows, cache.capacity), [count, 1, length, cache.capacity + length]),
    selected: integers(selected, [selected.length]),
  };
}

/** Of each row, whose token each used place of the cache holds. */
type Owners = readonly (readonly number[])[];

/** [rows, 1, new tokens, cached and new tokens]: a token sees the prompt and its own answer so far. */
function maskOf(
  owners: Owners,
  rows: readonly (readonly Token[])[],
  capacity: number,
): Float32Array {
  const count = rows[0]?.length ?? 0;
  const width = capacity + count;
  const mask = new Float32Array(rows.length * count * width).fill(HIDDEN_SCORE);
  rows.forEach((row, r) => {
    const cached = owners[r] ?? [];
    row.forEach(({ owner }, i) => {
      const start = (r * count + i) * width;
      cached.forEach((other, place) => {
        if (other === PROMPT || other === owner) mask[start + place] = 0;
      });
      for (let j = 0; j <= i; j++) {
        if (row[j]?.owner === owner) mask[start + capacity + j] = 0;
      }
    });
  });
  return mask;
}

function filled(row: readonly Token[], length: number): Token[] {
  return Array.from({ length }, (_, i) => row[i] ?? NOTHING);
}
