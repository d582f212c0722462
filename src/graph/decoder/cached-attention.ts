import type { Value } from "../graph-builder.ts";
import { addMask } from "../primitives/add.ts";
import { product } from "../primitives/product.ts";
import { reshapeTo } from "../primitives/reshape.ts";
import { softmax } from "../primitives/softmax.ts";
import type { Tape } from "../tape.ts";
import { groupHeads, scoreScale } from "./attention.ts";
import type { DecoderConfig } from "./config.ts";

/** Keys and values [batch, key-value heads, tokens, head size]. */
export type KeysAndValues = readonly [keys: Value, values: Value];

/**
 * Attention of new tokens to cached ones and to themselves. Scores are joined instead of keys and
 * values: the cache, which is far larger, is never copied. No gradient.
 *
 * @param mask [batch, 1, heads of a group × new tokens, cached and new tokens]
 */
export function attendWithCache(
  t: Tape,
  config: DecoderConfig,
  [queries, ...added]: readonly [Value, Value, Value],
  past: KeysAndValues,
  mask: Value,
): Value {
  const grouped = groupHeads(t, config, queries);
  const parts = [past, added];
  const scores = parts.map(([keys]) =>
    product(t, grouped, keys, { transposeB: true, scale: scoreScale(config) }),
  );
  const [batch = "", heads = 1, rows = ""] = grouped.shape;
  const shape = [batch, heads, rows, mask.shape.at(-1) ?? ""];
  const joined = t.node("Concat", scores, shape, { axis: -1 });
  const seen = softmax(t, addMask(t, joined, mask));
  const lengths = parts.map(([keys]) => t.node("Shape", [keys], [1], { start: 2, end: 3 }));
  const sizes = t.node("Concat", lengths, [2], { axis: 0 });
  const shares = t.nodes(
    "Split",
    [seen, sizes],
    scores.map(({ shape: own }) => own),
    { axis: -1 },
  );
  const [before, own] = parts.map(([, values], i) => product(t, shares[i] as Value, values));
  const sum = t.node("Add", [before as Value, own as Value], grouped.shape);
  return reshapeTo(t, sum, queries.shape);
}
