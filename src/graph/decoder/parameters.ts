import type { DecoderConfig } from "./config.ts";

/** The matrices of a layer, in the order in which they are applied. */
export const PROJECTIONS = [
  "q_proj",
  "k_proj",
  "v_proj",
  "o_proj",
  "gate_proj",
  "up_proj",
  "down_proj",
] as const;

/** One of {@link PROJECTIONS}. */
export type Projection = (typeof PROJECTIONS)[number];

/** Names of tensors as model files have them, with their sizes. */
export type Shapes = ReadonlyMap<string, readonly number[]>;

/** Those outside of the layers. */
export const EMBEDDING = "model.embed_tokens.weight";
export const FINAL_NORM = "model.norm.weight";
export const HEAD = "lm_head.weight";

const ATTENTION: readonly Projection[] = ["q_proj", "k_proj", "v_proj", "o_proj"];
const BIASED: readonly Projection[] = ["q_proj", "k_proj", "v_proj"];

/** The module that holds a projection of a layer, such as `model.layers.0.self_attn.q_proj`. */
export function moduleName(layer: number, projection: Projection): string {
  const part = ATTENTION.includes(projection) ? "self_attn" : "mlp";
  return `${layerName(layer)}.${part}.${projection}`;
}

/** The weights of one of a layer's two normalisations. */
export function normName(layer: number, before: "attention" | "feed_forward"): string {
  const name = before === "attention" ? "input_layernorm" : "post_attention_layernorm";
  return `${layerName(layer)}.${name}.weight`;
}

/** The tensor that turns hidden states into logits. */
export function headName({ isTied }: DecoderConfig): string {
  return isTied ? EMBEDDING : HEAD;
}

/** Whether a projection adds a bias. */
export function isBiased({ hasBias }: DecoderConfig, projection: Projection): boolean {
  return hasBias && BIASED.includes(projection);
}

/** Sizes of a projection as stored, [out, in]. */
export function projectionShape(config: DecoderConfig, projection: Projection): [number, number] {
  const { hidden, heads, keyValueHeads, headSize, intermediate } = config;
  switch (projection) {
    case "q_proj":
      return [heads * headSize, hidden];
    case "k_proj":
    case "v_proj":
      return [keyValueHeads * headSize, hidden];
    case "o_proj":
      return [hidden, heads * headSize];
    case "gate_proj":
    case "up_proj":
      return [intermediate, hidden];
    case "down_proj":
      return [hidden, intermediate];
  }
}

/** Every tensor of a model, as its file must hold them. */
export function parameterShapes(config: DecoderConfig): Shapes {
  const { vocabulary, hidden, layers, isTied } = config;
  const shapes = new Map<string, readonly number[]>([[EMBEDDING, [vocabulary, hidden]]]);
  for (let layer = 0; layer < layers; layer++) {
    shapes.set(normName(layer, "attention"), [hidden]);
    shapes.set(normName(layer, "feed_forward"), [hidden]);
    for (const projection of PROJECTIONS) {
      const [out, into] = projectionShape(config, projection);
      shapes.set(`${moduleName(layer, projection)}.weight`, [out, into]);
      if (isBiased(config, projection)) {
        shapes.set(`${moduleName(layer, projection)}.bias`, [out]);
      }
    }
  }
  shapes.set(FINAL_NORM, [hidden]);
  if (!isTied) shapes.set(HEAD, [vocabulary, hidden]);
  return shapes;
}

function layerName(layer: number): string {
  return `model.layers.${layer}`;
}
