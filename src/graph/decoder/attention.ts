import type { GraphBuilder, Value } from "../graph-builder.ts";
import { addMask } from "../primitives/add.ts";
import { batchedProduct } from "../primitives/batched-product.ts";
import { reshape } from "../primitives/reshape.ts";
import { softmax } from "../primitives/softmax.ts";
import type { Shape } from "../shape.ts";
import type { Tape } from "../tape.ts";
import type { DecoderConfig } from "./config.ts";

/**
 * Added to the score of what must not be seen. Not minus infinity: a row of filler that sees
 * nothing would then give NaN.
 */
export const HIDDEN_SCORE = -1e9;

/**
 * Attention of queries to keys, both [batch, their heads, tokens, head size]. The heads that share
 * keys and values are laid out as further rows of one product, so that nothing is repeated and the
 * gradients of keys and values sum over their heads by themselves.
 *
 * @param mask from {@link repeatMask}
 */
export function attend(
  t: Tape,
  config: DecoderConfig,
  [queries, keys, values]: readonly [Value, Value, Value],
  mask: Value,
): Value {
  const grouped = groupHeads(t, config, queries);
  const scores = batchedProduct(t, grouped, keys, {
    transposeB: true,
    scale: scoreScale(config),
  });
  const seen = softmax(t, addMask(t, scores, mask));
  return reshape(t, batchedProduct(t, seen, values), queries.shape);
}

/** Queries as [batch, key-value heads, heads of a group × tokens, head size]. */
export function groupHeads(t: Tape, config: DecoderConfig, queries: Value): Value {
  const { keyValueHeads, headSize } = config;
  const [batch = "", , tokens = ""] = queries.shape;
  return reshape(t, queries, [batch, keyValueHeads, groupedRows(config, tokens), headSize]);
}

/** A mask [batch, 1, tokens, keys], once for each head of a group. Added once for all layers. */
export function repeatMask(g: GraphBuilder, config: DecoderConfig, mask: Value): Value {
  const group = config.heads / config.keyValueHeads;
  if (group === 1) return mask;
  const [batch = "", one = 1, tokens = "", keys = ""] = mask.shape;
  const shape: Shape = [batch, one, groupedRows(config, tokens), keys];
  const copies = Array.from({ length: group }, () => mask);
  return g.node("Concat", copies, shape, { axis: 2 });
}

/** Keeps scores of the same spread whatever the head size. */
export function scoreScale({ headSize }: DecoderConfig): number {
  return 1 / Math.sqrt(headSize);
}

function groupedRows({ heads, keyValueHeads }: DecoderConfig, tokens: string | number): string {
  return `${heads / keyValueHeads}*${tokens}`;
}
