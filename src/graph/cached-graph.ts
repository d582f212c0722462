import { repeatMask } from "./decoder/attention.ts";
import { attendWithCache } from "./decoder/cached-attention.ts";
import type { DecoderConfig } from "./decoder/config.ts";
import { chooseTokens, finalNorm, hiddenStates, outputHead } from "./decoder/layers.ts";
import { addModel, type ModelOptions } from "./decoder/model-in-graph.ts";
import type { Value } from "./graph-builder.ts";
import { makeTape } from "./tape.ts";

/** A tensor of keys or values of one layer, by its names as input and output. */
export interface CacheTensor {
  /** [B, key-value heads, cached tokens, head size]: what was read before. */
  readonly past: string;
  /** [B, key-value heads, new tokens, head size]: to be put behind it by the caller. */
  readonly added: string;
}

/** Keys and values of all layers, in order. */
export function cacheTensors({ layers }: DecoderConfig): CacheTensor[] {
  return Array.from({ length: layers }, (_, layer) =>
    ["key", "value"].map((part) => {
      return { past: `past.${layer}.${part}`, added: `added.${layer}.${part}` };
    }),
  ).flat();
}

/**
 * Reads new tokens behind cached ones: a prompt behind nothing, or the next tokens of answers. Only
 * the new keys and values come out, since handing whole caches out and in costs as much as
 * computing.
 *
 * Which cached and new tokens a token sees is decided by the mask alone. So several answers to one
 * prompt can be written in one row: its cache holds the prompt once and behind it the tokens of all
 * answers in the order they were written; each step reads one new token of each answer, which sees
 * the prompt and its own.
 *
 * Inputs: int64 `ids` and `positions` [B, T]; `mask` [B, 1, T, C + T], 0 or `HIDDEN_SCORE`; int64
 * `selected` [P], tokens counted through the rows; the past of {@link cacheTensors}, C tokens each,
 * of which there may be none; weights whose source is `inputs`.
 * Outputs: `logits` [P, vocabulary]; the added part of {@link cacheTensors}.
 */
export function buildCachedGraph(options: Omit<ModelOptions, "trained">): Uint8Array {
  const t = makeTape();
  const model = addModel(t, { ...options, trained: "nothing" });
  const { config } = options;
  const { keyValueHeads, headSize } = config;
  const ids = t.input("ids", ["B", "T"], { type: "int64" });
  const positions = t.input("positions", ["B", "T"], { type: "int64" });
  const mask = repeatMask(t, config, t.input("mask", ["B", 1, "T", "C+T"]));
  const selected = t.input("selected", ["P"], { type: "int64" });
  const tensors = cacheTensors(config);
  const pasts = tensors.map(({ past }) => t.input(past, ["B", keyValueHeads, "C", headSize]));
  const added: Value[] = [];
  const hidden = hiddenStates(t, model, { ids, positions }, (layer, parts) => {
    const [, keys, values] = parts;
    added.push(keys, values);
    const past = pasts.slice(2 * layer, 2 * layer + 2) as [Value, Value];
    return attendWithCache(t, config, parts, past, mask);
  });
  const features = finalNorm(t, model, chooseTokens(t, hidden, selected));
  t.output("logits", outputHead(t, model, features));
  tensors.forEach((tensor, i) => {
    t.output(tensor.added, added[i] as Value);
  });
  return t.encode();
}
