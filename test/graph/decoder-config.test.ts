import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SteerError } from "../../src/core/errors.ts";
import { checkWeights } from "../../src/graph/decoder/check-weights.ts";
import { readDecoderConfig } from "../../src/graph/decoder/config.ts";
import { initialAdapter, loraShapes } from "../../src/graph/decoder/lora.ts";
import { parameterShapes } from "../../src/graph/decoder/parameters.ts";
import type { TensorPlace } from "../../src/graph/safetensors/header.ts";
import { countAll } from "../../src/graph/shape.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { SMALL, SMALL_LORA } from "./support.ts";

const LLAMA = {
  architectures: ["LlamaForCausalLM"],
  vocab_size: 32000,
  hidden_size: 2048,
  num_hidden_layers: 22,
  num_attention_heads: 32,
  num_key_value_heads: 4,
  intermediate_size: 5632,
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-5,
};

test("the shapes of TinyLlama-1.1B: 1.1 billion parameters, 4,505,600 in a rank-16 adapter", () => {
  const config = readDecoderConfig(LLAMA, "config.json");
  expect(countAll(parameterShapes(config))).toBe(1_100_048_384);
  const targets = ["q_proj", "k_proj", "v_proj", "o_proj"] as const;
  const shapes = loraShapes(config, { rank: 16, alpha: 32, targets });
  expect(countAll(shapes)).toBe(4_505_600);
  expect(shapes.size).toBe(22 * 4 * 2);
});

test("the embedded model's folder is understood, and what its file leaves out has the usual value", () => {
  const content = JSON.parse(readFileSync(repositoryPath("models/tiny/config.json"), "utf8"));
  expect(readDecoderConfig(content, "config.json")).toMatchObject({
    heads: 4,
    keyValueHeads: 2,
    headSize: 16,
    ropeTheta: 10_000,
    isTied: true,
    hasBias: false,
  });
  const bare = readDecoderConfig(LLAMA, "config.json");
  expect(bare).toMatchObject({ headSize: 64, ropeTheta: 10_000, isTied: false });
});

test.each([
  ["architectures", { architectures: ["Qwen3ForCausalLM"] }, "Qwen3ForCausalLM (it knows"],
  ["architectures", { architectures: ["MistralForCausalLM"] }, "use onnx:DIR"],
  ["rope_scaling", { rope_scaling: { rope_type: "llama3", factor: 32 } }, 'of type "llama3"'],
  ["rope_scaling", { rope_scaling: { type: "linear", factor: 2 } }, 'of type "linear"'],
  ["rope_parameters", { rope_parameters: { rope_type: "yarn", rope_theta: 1 } }, 'type "yarn"'],
  ["hidden_act", { hidden_act: "gelu" }, '"gelu" is not computed'],
  ["attention_bias", { attention_bias: true }, "true is not computed"],
  ["mlp_bias", { mlp_bias: true }, "true is not computed"],
  ["use_sliding_window", { use_sliding_window: true }, "true is not computed"],
  ["layer_types", { layer_types: ["full_attention", "sliding_attention"] }, '"sliding_attention"'],
  ["quantization_config", { quantization_config: { bits: 4 } }, "a quantized model"],
  ["num_key_value_heads", { num_key_value_heads: 5 }, "5 does not divide 32 heads"],
  ["head_dim", { head_dim: 63 }, "63 is no even whole number"],
  ["vocab_size", { vocab_size: 0 }, "vocab_size"],
])("a config whose %s differs is refused: %o", (field, change, message) => {
  const read = () => readDecoderConfig({ ...LLAMA, ...change }, "m/config.json");
  expect(read).toThrow(message);
  expect(read).toThrow(`m/config.json: ${field}`);
  expect(read).toThrow(expect.objectContaining({ code: "invalid" }));
});

test("all that is wrong with a config is said at once", () => {
  try {
    readDecoderConfig({ ...LLAMA, hidden_act: "relu", mlp_bias: true, head_dim: 3 }, "c");
    expect.unreachable();
  } catch (error) {
    const paths = (error as SteerError).faults.map(({ path }) => path);
    expect(paths).toEqual(["hidden_act", "mlp_bias", "head_dim"]);
  }
});

test("weights of another model are refused, each with its name and both shapes", () => {
  const place = (shape: readonly number[]): TensorPlace => {
    return { format: "F32", shape, offset: 0, length: 0 };
  };
  const found = new Map([...parameterShapes(SMALL)].map(([name, shape]) => [name, place(shape)]));
  found.set("lm_head.weight", place([1]));
  found.set("model.layers.0.self_attn.rotary_emb.inv_freq", place([3]));
  expect(() => checkWeights(found, parameterShapes(SMALL), "m")).not.toThrow();
  found.delete("model.norm.weight");
  found.set("model.layers.1.mlp.up_proj.weight", place([5, 16]));
  found.set("model.layers.0.self_attn.q_norm.weight", place([6]));
  expect(() => checkWeights(found, parameterShapes(SMALL), "m")).toThrow(
    [
      "m: model.layers.1.mlp.up_proj.weight: is of shape 5x16, and config asks for 20x16",
      "m: model.norm.weight: is missing; config asks for it, of shape 16",
      "m: model.layers.0.self_attn.q_norm.weight: has no place in a model of this config; the files belong to different models",
    ].join("\n"),
  );
});

test("an adapter begins without effect, the same for the same seed", () => {
  const adapter = initialAdapter(SMALL, SMALL_LORA, 42);
  expect([...adapter.keys()]).toEqual([...loraShapes(SMALL, SMALL_LORA).keys()]);
  for (const [name, numbers] of adapter) {
    const largest = Math.max(...numbers.map(Math.abs));
    if (name.includes("lora_B")) expect(largest).toBe(0);
    else expect(largest).toBeGreaterThan(0.1);
  }
  expect(initialAdapter(SMALL, SMALL_LORA, 42)).toEqual(adapter);
  expect(initialAdapter(SMALL, SMALL_LORA, 43)).not.toEqual(adapter);
});
