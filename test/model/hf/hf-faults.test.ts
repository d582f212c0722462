import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SteerError } from "../../../src/core/errors.ts";
import { readHfFolder } from "../../../src/model/hf/hf-folder.ts";
import { SMALL_LORA } from "../../graph/support.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { type Break, cut, POINTER, remove, write } from "../onnx/break-folder.ts";
import { copyModel, TINY } from "../onnx/support.ts";
import { TINY_CONFIG, writeAdapter } from "./support.ts";

const WEIGHTS = "model.safetensors";
const fields =
  (file: string, changes: object): Break =>
  (folder) => {
    const path = join(folder, file);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...changes }));
  };
const config = (changes: object) => fields("config.json", changes);
const shards: Break = (folder) => {
  remove(WEIGHTS)(folder);
  write("model.safetensors.index.json", "{}")(folder);
};

const weightsFolder: Break = (folder) => {
  remove(WEIGHTS)(folder);
  mkdirSync(join(folder, WEIGHTS));
};

/** What is broken, how, the code, and what the message must say: the file, the trouble, the fix. */
type Row = readonly [string, Break, string, RegExp];

const BROKEN_MODELS: readonly Row[] = [
  ["no config.json", remove("config.json"), "not_found", /config\.json: is missing; download/],
  ["no tokenizer.json", remove("tokenizer.json"), "not_found", /tokenizer\.json: is missing/],
  ["no weights", remove(WEIGHTS), "not_found", /model\.safetensors: is missing; download/],
  [
    "weights in several files",
    shards,
    "invalid",
    /index\.json: weights in several files are not read; save the model as one/,
  ],
  ["empty weights", write(WEIGHTS, ""), "unreadable", /model\.safetensors: is empty; download/],
  [
    "a pointer as weights",
    write(WEIGHTS, POINTER),
    "unreadable",
    /model\.safetensors: is a git-lfs pointer of \d+ bytes; run `git lfs pull`/,
  ],
  [
    "cut weights",
    cut(WEIGHTS, 900_000),
    "unreadable",
    /model\.safetensors: is cut short: its tensors end at byte \d+, .* 900000; download/,
  ],
  [
    "a page as weights",
    write(WEIGHTS, "<!DOCTYPE html><html></html>"),
    "unreadable",
    /model\.safetensors: is no safetensors file/,
  ],
  ["a folder as weights", weightsFolder, "unreadable", /model\.safetensors: is no file/],
  [
    "Qwen3",
    config({ architectures: ["Qwen3ForCausalLM"] }),
    "invalid",
    /config\.json: architectures: Qwen3ForCausalLM .* is not computed by this engine; export .* onnx:DIR/,
  ],
  [
    "Llama 3 rope scaling",
    config({ rope_scaling: { rope_type: "llama3", factor: 8 } }),
    "invalid",
    /config\.json: rope_scaling: .*"llama3" is not computed .* onnx:DIR/,
  ],
  [
    "an encoder",
    config({ architectures: ["BertForMaskedLM"] }),
    "invalid",
    /config\.json: BertForMaskedLM is no causal language model/,
  ],
  [
    "a config of another size",
    config({ hidden_size: 128 }),
    "mismatch",
    /model\.safetensors: model\.norm\.weight: is of shape 64, and config asks for 128/,
  ],
  [
    "a config of fewer layers",
    config({ num_hidden_layers: 3 }),
    "mismatch",
    /model\.layers\.3\.\S+: has no place in a model of this config/,
  ],
  [
    "a tokenizer of another model",
    write("tokenizer.json", '{"model":{"vocab":{"a":5000}}}'),
    "mismatch",
    /tokenizer\.json: has a token with id 5000, but config\.json has vocab_size 3072/,
  ],
];

const ADAPTER = "adapter_model.safetensors";
const adapterConfig = (changes: object) => fields("adapter_config.json", changes);

const BROKEN_ADAPTERS: readonly Row[] = [
  [
    "no adapter_config.json",
    remove("adapter_config.json"),
    "not_found",
    /adapter_config\.json: is missing; save the adapter with PEFT/,
  ],
  ["no weights", remove(ADAPTER), "not_found", /adapter_model\.safetensors: is missing; save/],
  ["cut weights", cut(ADAPTER, 9000), "unreadable", /adapter_model\.safetensors: is cut short/],
  ["a pointer", write(ADAPTER, POINTER), "unreadable", /adapter_model\.safetensors: .*git-lfs/],
  [
    "foreign target modules",
    adapterConfig({ target_modules: ["q_proj", "lm_head"] }),
    "invalid",
    /adapter_config\.json: target_modules\.1: "lm_head" is not computed here; train .* q_proj, /,
  ],
  [
    "another kind",
    adapterConfig({ peft_type: "IA3" }),
    "invalid",
    /adapter_config\.json: peft_type: only LORA/,
  ],
  [
    "another rank than its file",
    adapterConfig({ r: 8 }),
    "mismatch",
    /adapter_model\.safetensors: base_model\S+lora_A\.weight: is of shape 3x64, and .* 8x64/,
  ],
];

describe("a broken model folder is refused before anything is loaded", () => {
  test.each(BROKEN_MODELS)("%s", (_, breakIt, code, message) => {
    const folder = copyModel(TINY);
    breakIt(folder);
    const error = catchError(() => readHfFolder(folder));
    expect(error.message).toMatch(message);
    expect(error.message).toContain(folder);
    expect(error.code).toBe(code);
  });

  test("all faults are listed at once", () => {
    const folder = copyModel(TINY);
    config({ mlp_bias: true, hidden_act: "gelu" })(folder);
    remove("tokenizer.json")(folder);
    cut(WEIGHTS, 4)(folder);
    const { faults } = catchError(() => readHfFolder(folder));
    expect(faults.map(({ file, path }) => [file.slice(folder.length + 1), path])).toEqual([
      ["tokenizer.json", undefined],
      ["config.json", "hidden_act"],
      ["config.json", "mlp_bias"],
      [WEIGHTS, undefined],
    ]);
  });

  test("no such folder", () => {
    const error = catchError(() => readHfFolder(join(temporaryFolder(), "none")));
    expect(error).toMatchObject({ code: "not_found" });
  });
});

describe("a broken adapter is refused before anything is loaded", () => {
  test.each(BROKEN_ADAPTERS)("%s", (_, breakIt, code, message) => {
    const { path } = writeAdapter();
    breakIt(path);
    const error = catchError(() => readHfFolder(TINY, path));
    expect(error.message).toMatch(message);
    expect(error.message).toContain(path);
    expect(error.code).toBe(code);
  });

  test("an adapter of a model of another shape, which is told by name", () => {
    const { path } = writeAdapter({ ...TINY_CONFIG, hidden: 32, layers: 5 }, SMALL_LORA);
    const error = catchError(() => readHfFolder(TINY, path));
    expect(error.code).toBe("mismatch");
    expect(error.message).toMatch(/lora_A\.weight: is of shape 3x32, and config asks for 3x64/);
    expect(error.message).toMatch(/layers\.4\.\S+: has no place/);
    expect(error.message).toMatch(
      /adapter_config\.json: base_model_name_or_path: "tiny" is not of the shape of --model; name/,
    );
  });

  test("no such folder", () => {
    const path = join(temporaryFolder(), "none");
    const error = catchError(() => readHfFolder(TINY, path));
    expect(error).toMatchObject({ code: "not_found" });
    expect(error.message).toContain(`${path}: there is no such adapter folder; save`);
  });
});

function catchError(action: () => unknown): SteerError {
  try {
    action();
  } catch (error) {
    if (error instanceof SteerError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
