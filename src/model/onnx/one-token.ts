import { fillGaps, type KeyValueCache, stackCaches, widenGaps } from "./cache.ts";
import { type DecoderLayout, givesAddedAlone } from "./decoder-layout.ts";
import type { DecoderResult, DecoderSession } from "./session.ts";

/** Free places that a cache gets at a time, to write further tokens into. */
const ROOM = 32;

/** The cache under which these rows, each behind its own prompt, are written together. */
export function beginWriting(
  layout: DecoderLayout,
  caches: readonly KeyValueCache[],
): KeyValueCache {
  return stackCaches(layout, caches, givesAddedAlone(layout) ? ROOM : 0);
}

/**
 * Reads one more token of each row. Where the graph gives the new keys and values alone, they are
 * put into the cache here; handing the whole cache out and in again, as is done otherwise, costs
 * about as much as the step itself.
 *
 * @param cache from {@link beginWriting} or the last call; it may be changed
 */
export async function readOneToken(
  session: DecoderSession,
  tokens: readonly number[],
  cache: KeyValueCache,
): Promise<Pick<DecoderResult, "logits" | "cache">> {
  const { layout } = session.source.graph;
  const rows = tokens.map((token) => [token]);
  if (!givesAddedAlone(layout)) return session.run({ rows, cache, last: 1, keep: "cache" });
  const isFull = cache.gaps.some(({ from, to }) => from === to);
  const roomy = isFull ? widenGaps(layout, cache, ROOM) : cache;
  const { logits, added } = await session.run({ rows, cache: roomy, last: 1, keep: "added" });
  return { logits, cache: fillGaps(layout, roomy, added) };
}
