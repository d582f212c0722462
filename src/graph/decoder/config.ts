import { z } from "zod";
import { type Fault, SteerError } from "../../core/errors.ts";

/** The sizes of a decoder that this engine computes. */
export interface DecoderConfig {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  /** Divides `heads`: each head of keys and values serves so many of queries. */
  readonly keyValueHeads: number;
  readonly headSize: number;
  /** Width of the feed-forward part. */
  readonly intermediate: number;
  readonly epsilon: number;
  readonly ropeTheta: number;
  /** Positions run from 0 to below this. */
  readonly context: number;
  /** Whether the projections to queries, keys and values add a bias. */
  readonly hasBias: boolean;
  /** Whether the token embeddings are the output head, too. */
  readonly isTied: boolean;
}

const size = z.int().min(1);

/** The fields of config.json that decide what is computed. Where a default stands, it is the class's. */
const schema = z.object({
  architectures: z.array(z.string()).min(1),
  vocab_size: size,
  hidden_size: size,
  num_hidden_layers: size,
  num_attention_heads: size,
  num_key_value_heads: size.nullish(),
  head_dim: size.nullish(),
  intermediate_size: size,
  rms_norm_eps: z.number().positive().default(1e-6),
  max_position_embeddings: size,
  tie_word_embeddings: z.boolean().default(false),
  rope_theta: z.number().positive().nullish(),
  rope_scaling: z.record(z.string(), z.unknown()).nullish(),
  /** What newer versions of transformers write instead of the two above. */
  rope_parameters: z.record(z.string(), z.unknown()).nullish(),
  hidden_act: z.string().default("silu"),
  attention_bias: z.boolean().default(false),
  mlp_bias: z.boolean().default(false),
  use_sliding_window: z.boolean().default(false),
  layer_types: z.array(z.string()).nullish(),
  quantization_config: z.unknown().optional(),
});

type RawConfig = z.infer<typeof schema>;

/** Architectures with, for each, whether its projections to queries, keys and values add a bias. */
const ARCHITECTURES: Readonly<Record<string, boolean>> = {
  LlamaForCausalLM: false,
  Qwen2ForCausalLM: true,
};
const DEFAULT_THETA = 10_000;
const ELSEWHERE = "export the model to ONNX and use onnx:DIR";

/**
 * Reads the content of a config.json.
 *
 * @param file its path, for messages
 * @throws SteerError `invalid` that lists every field that is missing, contradictory or asks for
 * something that is not computed here, such as another architecture or rope scaling
 */
export function readDecoderConfig(content: unknown, file: string): DecoderConfig {
  const parsed = schema.safeParse(content);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => {
      return { file, path: path.join("."), message };
    });
    throw SteerError.fromFaults("invalid", faults);
  }
  const raw = parsed.data;
  const heads = raw.num_attention_heads;
  const config: DecoderConfig = {
    vocabulary: raw.vocab_size,
    hidden: raw.hidden_size,
    layers: raw.num_hidden_layers,
    heads,
    keyValueHeads: raw.num_key_value_heads ?? heads,
    headSize: raw.head_dim ?? raw.hidden_size / heads,
    intermediate: raw.intermediate_size,
    epsilon: raw.rms_norm_eps,
    ropeTheta: thetaOf(raw),
    context: raw.max_position_embeddings,
    hasBias: ARCHITECTURES[raw.architectures[0] ?? ""] ?? false,
    isTied: raw.tie_word_embeddings,
  };
  const faults = [...uncomputed(raw), ...contradictions(config)].map(
    ([path, message]): Fault => ({ file, path, message }),
  );
  if (faults.length > 0) throw SteerError.fromFaults("invalid", faults);
  return config;
}

type Finding = readonly [path: string, message: string];

/** Everything that would change the result and that this engine leaves out. */
function uncomputed(raw: RawConfig): Finding[] {
  const found: Finding[] = [];
  const refuse = (path: string, what: string) =>
    found.push([path, `${what} is not computed by this engine; ${ELSEWHERE}`]);
  const known = Object.keys(ARCHITECTURES);
  const [architecture = ""] = raw.architectures;
  if (!known.includes(architecture)) {
    refuse("architectures", `${architecture} (it knows ${known.join(" and ")})`);
  }
  for (const name of ["rope_scaling", "rope_parameters"] as const) {
    const type = raw[name]?.["rope_type"] ?? raw[name]?.["type"] ?? "default";
    if (type !== "default") refuse(name, `rope scaling of type ${JSON.stringify(type)}`);
    const share = raw[name]?.["partial_rotary_factor"] ?? 1;
    if (share !== 1) refuse(name, `a partial_rotary_factor of ${JSON.stringify(share)}`);
  }
  if (raw.hidden_act !== "silu") refuse("hidden_act", JSON.stringify(raw.hidden_act));
  if (raw.attention_bias) refuse("attention_bias", "true");
  if (raw.mlp_bias) refuse("mlp_bias", "true");
  const other = raw.layer_types?.find((type) => type !== "full_attention");
  if (raw.use_sliding_window) refuse("use_sliding_window", "true");
  if (other !== undefined) refuse("layer_types", JSON.stringify(other));
  if (raw.quantization_config != null) refuse("quantization_config", "a quantized model");
  return found;
}

function contradictions({ heads, keyValueHeads, headSize }: DecoderConfig): Finding[] {
  const found: Finding[] = [];
  if (heads % keyValueHeads !== 0) {
    found.push(["num_key_value_heads", `${keyValueHeads} does not divide ${heads} heads`]);
  }
  if (!Number.isInteger(headSize) || headSize % 2 !== 0) {
    found.push(["head_dim", `${headSize} is no even whole number`]);
  }
  return found;
}

function thetaOf({ rope_parameters: parameters, rope_theta: theta }: RawConfig): number {
  const newer = parameters?.["rope_theta"];
  return typeof newer === "number" ? newer : (theta ?? DEFAULT_THETA);
}
