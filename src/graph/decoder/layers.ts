import type { Value } from "../graph-builder.ts";
import { add } from "../primitives/add.ts";
import { gather } from "../primitives/gather.ts";
import { linear } from "../primitives/linear.ts";
import { reshape } from "../primitives/reshape.ts";
import { rmsNorm } from "../primitives/rms-norm.ts";
import { rotary } from "../primitives/rotary.ts";
import { swiglu } from "../primitives/swiglu.ts";
import { transpose } from "../primitives/transpose.ts";
import type { Tape } from "../tape.ts";
import type { ModelInGraph } from "./model-in-graph.ts";
import { EMBEDDING, FINAL_NORM, headName, normName } from "./parameters.ts";
import { project } from "./projection.ts";

/** Attention of one layer: queries, keys and values [batch, their heads, tokens, head size]. */
export type Attend = (layer: number, parts: readonly [Value, Value, Value]) => Value;

/** Whole numbers [batch, tokens]. */
export interface TokenValues {
  readonly ids: Value;
  readonly positions: Value;
}

/** All layers of a decoder: hidden states [batch, tokens, hidden], not yet normalised. */
export function hiddenStates(
  t: Tape,
  model: ModelInGraph,
  { ids, positions }: TokenValues,
  attend: Attend,
): Value {
  let x = gather(t, model.weight(EMBEDDING), ids);
  for (let layer = 0; layer < model.config.layers; layer++) {
    x = add(t, x, attentionPart(t, model, layer, x, positions, attend));
    x = add(t, x, feedForwardPart(t, model, layer, x));
  }
  return x;
}

/** Hidden states of tokens chosen by their number, counted through all rows: [P, hidden]. */
export function chooseTokens(t: Tape, hidden: Value, selected: Value): Value {
  const [batch = "", tokens = "", width = 1] = hidden.shape;
  return gather(t, reshape(t, hidden, [`${batch}*${tokens}`, width]), selected);
}

/** What the output head reads. */
export function finalNorm(t: Tape, { config, weight }: ModelInGraph, hidden: Value): Value {
  return rmsNorm(t, hidden, weight(FINAL_NORM), config.epsilon);
}

/** Logits over the whole vocabulary. */
export function outputHead(t: Tape, { config, weight }: ModelInGraph, features: Value): Value {
  return linear(t, features, weight(headName(config)));
}

function attentionPart(
  t: Tape,
  model: ModelInGraph,
  layer: number,
  x: Value,
  positions: Value,
  attend: Attend,
): Value {
  const { config, tables } = model;
  const { heads, keyValueHeads, headSize } = config;
  const [batch = "", tokens = ""] = x.shape;
  const normalised = rmsNorm(t, x, model.weight(normName(layer, "attention")), config.epsilon);
  const split = (projection: "q_proj" | "k_proj" | "v_proj", count: number) => {
    const all = project(t, model, layer, projection, normalised);
    return transpose(t, reshape(t, all, [batch, tokens, count, headSize]), [0, 2, 1, 3]);
  };
  const queries = rotary(t, split("q_proj", heads), positions, tables);
  const keys = rotary(t, split("k_proj", keyValueHeads), positions, tables);
  const values = split("v_proj", keyValueHeads);
  const seen = transpose(t, attend(layer, [queries, keys, values]), [0, 2, 1, 3]);
  const joined = reshape(t, seen, [batch, tokens, heads * headSize]);
  return project(t, model, layer, "o_proj", joined);
}

function feedForwardPart(t: Tape, model: ModelInGraph, layer: number, x: Value): Value {
  const name = normName(layer, "feed_forward");
  const normalised = rmsNorm(t, x, model.weight(name), model.config.epsilon);
  const gate = project(t, model, layer, "gate_proj", normalised);
  const up = project(t, model, layer, "up_proj", normalised);
  return project(t, model, layer, "down_proj", swiglu(t, gate, up));
}
