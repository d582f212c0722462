import { attend, HIDDEN_SCORE, repeatMask } from "./decoder/attention.ts";
import { finalNorm, hiddenStates, outputHead } from "./decoder/layers.ts";
import { addModel, type ModelOptions } from "./decoder/model-in-graph.ts";
import type { GraphBuilder, Value } from "./graph-builder.ts";
import { makeTape } from "./tape.ts";

/** Names of one layer's keys or values in a {@link buildServingGraph serving graph}. */
export interface ServingSlot {
  readonly past: string;
  /** The past with the new tokens behind it. */
  readonly present: string;
  /** The new tokens' part alone. */
  readonly added: string;
}

/** A graph as models exported for text generation with past have it. */
export interface ServingGraph {
  readonly bytes: Uint8Array;
  readonly slots: readonly ServingSlot[];
}

/**
 * The decoder with the inputs and outputs that exported models have, so that whatever runs those
 * runs this: int64 `input_ids`, `position_ids` [rows, tokens] and `attention_mask` [rows, cached
 * and new tokens], `past_key_values.N.key` and `.value`; `logits` [rows, positions, vocabulary] and
 * `present.N.key` and `.value`. Each token sees those before it that the mask does not hide.
 *
 * @param positionsInput name of a further input, int64 [rows, positions, 1]: for each row the
 * places among its new tokens whose logits are wanted
 */
export function buildServingGraph(
  options: Omit<ModelOptions, "trained">,
  positionsInput: string,
): ServingGraph {
  const t = makeTape();
  const model = addModel(t, { ...options, trained: "nothing" });
  const { keyValueHeads, headSize, hidden: width } = options.config;
  const whole = { type: "int64" } as const;
  const ids = t.input("input_ids", ["rows", "tokens"], whole);
  const given = t.input("attention_mask", ["rows", "total"], whole);
  const positions = t.input("position_ids", ["rows", "tokens"], whole);
  const places = t.input(positionsInput, ["rows", "places", 1], whole);
  const mask = repeatMask(t, options.config, causalMask(t, ids, given));

  const slots: ServingSlot[] = [];
  const addSlot = (name: string, added: Value): Value => {
    const past = t.input(`past_key_values.${name}`, ["rows", keyValueHeads, "cached", headSize]);
    const shape = ["rows", keyValueHeads, "total", headSize];
    const present = t.node("Concat", [past, added], shape, { axis: 2 });
    t.output(`present.${name}`, present);
    t.output(`added.${name}`, added);
    slots.push({ past: past.name, present: `present.${name}`, added: `added.${name}` });
    return present;
  };
  const hidden = hiddenStates(t, model, { ids, positions }, (layer, [queries, keys, values]) => {
    const all = [addSlot(`${layer}.key`, keys), addSlot(`${layer}.value`, values)] as const;
    return attend(t, options.config, [queries, ...all], mask);
  });
  const chosen = t.node("GatherND", [hidden, places], ["rows", "places", width], {
    batch_dims: 1,
  });
  t.output("logits", outputHead(t, model, finalNorm(t, model, chosen)));
  return { bytes: t.encode(), slots };
}

/** 0 where a new token may look, else {@link HIDDEN_SCORE}: [rows, 1, tokens, total]. */
function causalMask(g: GraphBuilder, ids: Value, given: Value): Value {
  const sizeOf = (value: Value) => {
    const size = g.node("Shape", [value], [1], { start: 1, end: 2 });
    return g.node("Squeeze", [size], []);
  };
  const total = sizeOf(given);
  const cached = g.node("Sub", [total, sizeOf(ids)], []);
  const all = g.node("Range", [g.int(0), total, g.int(1)], ["total"]);
  const own = g.node("Range", [cached, total, g.int(1)], ["tokens"]);
  const ownColumn = g.node("Unsqueeze", [own, g.ints([1])], ["tokens", 1]);
  const isBefore = g.node("LessOrEqual", [all, ownColumn], ["tokens", "total"]);
  const isReal = g.node("Greater", [given, g.int(0)], ["rows", "total"]);
  const realRows = g.node("Unsqueeze", [isReal, g.ints([1, 2])], ["rows", 1, 1, "total"]);
  const shape = ["rows", 1, "tokens", "total"];
  const isSeen = g.node("And", [isBefore, realRows], shape);
  return g.node("Where", [isSeen, g.float(0), g.float(HIDDEN_SCORE)], shape);
}
