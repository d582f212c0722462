import { expect, test } from "vitest";
import { makeAdapterConfig, readAdapterConfig } from "../../src/graph/adapter/adapter-config.ts";
import { readFixture } from "../support/fixtures.ts";
import { SMALL_LORA } from "./support.ts";

const PEFT = JSON.parse(readFixture("graph/qwen2-lora/adapter/adapter_config.json")) as object;

test("what PEFT writes is read, and what is written here is read again", () => {
  expect(readAdapterConfig(PEFT, "a")).toEqual({
    rank: 3,
    alpha: 6,
    targets: ["q_proj", "v_proj"],
  });
  const own = makeAdapterConfig(SMALL_LORA, "base");
  expect(readAdapterConfig(own, "a")).toEqual(SMALL_LORA);
});

test.each([
  ["peft_type", { peft_type: "IA3" }],
  ["r", { r: 0 }],
  ["lora_alpha", { lora_alpha: "8" }],
  ["bias", { bias: "all" }],
  ["target_modules", { target_modules: ".*proj" }],
  ["target_modules.0", { target_modules: ["lm_head"] }],
  ["use_dora", { use_dora: true }],
  ["use_rslora", { use_rslora: true }],
  ["rank_pattern", { rank_pattern: { q_proj: 8 } }],
  ["modules_to_save", { modules_to_save: ["lm_head"] }],
  ["loftq_config", { loftq_config: { bits: 4 } }],
  ["init_lora_weights", { init_lora_weights: "pissa" }],
  ["layers_to_transform", { layers_to_transform: [0] }],
])("an adapter with another %s is refused, naming the field", (field, change) => {
  expect(() => readAdapterConfig({ ...PEFT, ...change }, "a.json")).toThrow(`a.json: ${field}: `);
});
