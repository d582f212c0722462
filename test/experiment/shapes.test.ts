import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDecoderConfig } from "../../src/graph/decoder/config.ts";
import { parameterShapes } from "../../src/graph/decoder/parameters.ts";
import { countOf } from "../../src/graph/shape.ts";
import { runOk, temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

/** As the config.json of the released models gives them. */
const TINYLLAMA = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  vocab_size: 32_000,
  hidden_size: 2048,
  intermediate_size: 5632,
  num_hidden_layers: 22,
  num_attention_heads: 32,
  num_key_value_heads: 4,
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-5,
  rope_theta: 10_000,
  tie_word_embeddings: false,
  eos_token_id: 2,
};

const QWEN = {
  architectures: ["Qwen2ForCausalLM"],
  model_type: "qwen2",
  vocab_size: 151_936,
  hidden_size: 1536,
  intermediate_size: 8960,
  num_hidden_layers: 28,
  num_attention_heads: 12,
  num_key_value_heads: 2,
  max_position_embeddings: 32_768,
  rms_norm_eps: 1e-6,
  rope_theta: 1_000_000,
  tie_word_embeddings: true,
  use_sliding_window: false,
  eos_token_id: 2,
};

/** A folder of a shape with all its weights 0, which take no room on the disk. */
function makeEmptyModel(config: { readonly vocab_size: number }): string {
  const folder = join(temporaryFolder(), "model");
  mkdirSync(folder);
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const tokenizer = join(folder, "tokenizer.json");
  writeFileSync(tokenizer, JSON.stringify(tokenizerOf(config.vocab_size)));
  const tokens = "tokenizer_config.json";
  copyFileSync(repositoryPath(`models/tiny/${tokens}`), join(folder, tokens));
  let end = 0;
  const header = Object.fromEntries(
    [...parameterShapes(readDecoderConfig(config, "config.json"))].map(([name, shape]) => {
      const begin = end;
      end += 2 * countOf(shape);
      return [name, { dtype: "BF16", shape, data_offsets: [begin, end] }];
    }),
  );
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  const path = join(folder, "model.safetensors");
  writeFileSync(path, Buffer.concat([size, text]));
  truncateSync(path, size.length + text.length + end);
  return folder;
}

/** The tiny model's tokenizer, filled up with tokens that no text has. */
function tokenizerOf(size: number): object {
  const own = JSON.parse(readFileSync(repositoryPath("models/tiny/tokenizer.json"), "utf8"));
  const { vocab } = own.model;
  for (let id = Object.keys(vocab).length; id < size; id++) vocab[`\u0000 filler ${id}`] = id;
  return own;
}

/** An experiment of the repository on the demo set, which is checked in a moment. */
function onDemo(name: string): string {
  const own = JSON.parse(readFileSync(repositoryPath(`experiments/${name}.json`), "utf8"));
  const file = join(temporaryFolder(), "experiment.json");
  const [set, split] = ["scenario-sets/demo", "splits/demo.json"].map(repositoryPath);
  writeFileSync(file, JSON.stringify({ ...own, set, split }));
  return file;
}

test.each([
  ["tinyllama-1.1b", TINYLLAMA, 4_505_600],
  ["qwen2.5-1.5b", QWEN, 4_358_144],
])("experiments/%s.json can be run on a model of that shape", (name, config, trainable) => {
  const model = makeEmptyModel(config);
  const args = ["arms", onDemo(name), "--model", model, "--dry-run", "--json"];
  const adapter = { traces: 90, trainable };
  expect(JSON.parse(runOk(args))).toMatchObject([
    { name: "sft", steps: 23, ...adapter },
    { name: "rl-asymmetric", steps: 90, ...adapter },
    { name: "rl-symmetric", steps: 90, ...adapter },
    { name: "head", traces: 90, trainable: 5 * config.hidden_size },
    { name: "decision", steps: 23, ...adapter },
  ]);
});
