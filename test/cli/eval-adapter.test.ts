import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunHeader } from "../../src/result/run-schema.ts";
import { writeAdapter } from "../model/hf/support.ts";
import { runCli, runOk, temporaryFolder } from "../support/cli.ts";

const SMALL = "scenario-sets/demo --split splits/demo.json --readout decision --limit 2".split(" ");
const ON_TINY = ["eval", ...SMALL, "--model", "hf:models/tiny", "--workers", "1"];

test("an arm with an adapter is another arm: recorded by hashes, and not resumed as its base", () => {
  const out = join(temporaryFolder(), "run");
  const { path } = writeAdapter();
  const adapter = ["--adapter", path];
  runOk([...ON_TINY, ...adapter, "-o", out]);
  const { model } = JSON.parse(readFileSync(join(out, "run.json"), "utf8")) as RunHeader;
  expect(model.name).toBe("tiny+sft");
  expect(Object.keys(model.files)).toEqual([
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "model.safetensors",
    "adapter/adapter_config.json",
    "adapter/adapter_model.safetensors",
  ]);
  expect(runOk([...ON_TINY, ...adapter, "-o", out, "--resume"])).toContain("2 from before");
  const bare = runCli([...ON_TINY, "-o", out, "--resume"]);
  expect(bare.code).toBe(1);
  expect(bare.stderr).toMatch(/model\.files\.adapter\/adapter_model\.safetensors: stored /);
});

test("an adapter is refused beside a model that takes none", () => {
  const out = join(temporaryFolder(), "run");
  const args = ["eval", ...SMALL, "--model", "baseline:act", "--adapter", "runs/sft", "-o", out];
  const { code, stderr } = runCli(args);
  expect(code).toBe(2);
  expect(stderr).toContain("--adapter would do nothing: only an hf:DIR model takes one");
});
