import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256Hex } from "../../../src/core/hash.ts";
import { mergeAdapter } from "../../../src/graph/adapter/merge.ts";
import type { BatchRow } from "../../../src/graph/batch.ts";
import { readDecoderConfig } from "../../../src/graph/decoder/config.ts";
import { parameterShapes } from "../../../src/graph/decoder/parameters.ts";
import { openModelWeights, openWeightFile } from "../../../src/graph/safetensors/weight-file.ts";
import { readAdapterFolder } from "../../../src/model/hf/adapter-folder.ts";
import { makeServingModel } from "../../../src/model/hf/serving-model.ts";
import type { LetterScores } from "../../../src/model/model.ts";
import { logProbabilities } from "../../../src/model/onnx/log-softmax.ts";
import { openSession } from "../../../src/model/onnx/session.ts";
import { SMALL_LORA } from "../../graph/support.ts";
import { readFixture, repositoryPath } from "../../support/fixtures.ts";
import { copyModel, largestGap, letterRequest, SHORT_CHATS, TINY } from "../onnx/support.ts";
import { openHf, TINY_CONFIG, tinyWeights, writeAdapter, writeTensors } from "./support.ts";

const LETTERS = SHORT_CHATS.map((chat, i) => letterRequest(`t-${i}`, chat));

async function scoresOf(path: string, adapter?: string): Promise<number[]> {
  const results = await (await openHf(path, { adapter })).scoreLetters(LETTERS);
  return results.flatMap((scores) => (scores as LetterScores).logprobs);
}

test("an adapter beside its base scores as the two merged, and not as the base", async () => {
  const { path, tensors } = writeAdapter();
  const weights = tinyWeights();
  const merged = copyModel(TINY);
  const changed = mergeAdapter(TINY_CONFIG, SMALL_LORA, weights, tensors);
  const all = new Map([...weights, ...changed]);
  writeTensors(join(merged, "model.safetensors"), parameterShapes(TINY_CONFIG), all);
  const beside = await scoresOf(TINY, path);
  expect(largestGap(beside, await scoresOf(merged))).toBeLessThan(1e-5);
  expect(largestGap(beside, await scoresOf(TINY))).toBeGreaterThan(1e-2);
});

test("an adapter is recorded by its files' hashes and by what it changes", async () => {
  const { path } = writeAdapter();
  const bare = (await openHf(TINY)).describe();
  const { spec, name, files, details } = (await openHf(TINY, { adapter: path })).describe();
  expect([spec, name]).toEqual([`hf:${TINY} --adapter ${path}`, "tiny+sft"]);
  const own = ["adapter_config.json", "adapter_model.safetensors"].map((file) => {
    return [`adapter/${file}`, sha256Hex(readFileSync(join(path, file)))];
  });
  expect(files).toEqual({ ...bare.files, ...Object.fromEntries(own) });
  expect(details).toEqual({ ...bare.details, adapter: SMALL_LORA });
});

const BATCH = JSON.parse(readFixture("graph/batch.json")) as {
  readonly letters: readonly BatchRow[];
  readonly letterIds: readonly number[];
};

test.each(["llama-full", "llama-grouped-lora", "qwen2-grouped-full", "qwen2-lora"])(
  "%s: letters are those of torch, with the adapter that peft wrote",
  async (name) => {
    const path = repositoryPath(`test/fixtures/graph/${name}`);
    const content = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
    const config = readDecoderConfig(content, "config.json");
    const file = openModelWeights(path);
    file.close();
    const adapter = name.endsWith("lora") ? readAdapterFolder(join(path, "adapter"), config) : null;
    const graph = makeServingModel(config, file, adapter);
    const { vocabulary } = config;
    const session = await openSession({ graph, file: name, vocabulary, threads: 1 });
    onTestFinished(() => session.release());

    const found: number[] = [];
    for (const { prompt, answers } of BATCH.letters) {
      const call = { rows: [prompt], cache: session.empty, last: 1, keep: "nothing" } as const;
      const logits = (await session.run(call)).logits(0, 0);
      const own = Float32Array.from(BATCH.letterIds, (id) => logits[id] as number);
      for (const { targets } of answers) found.push(...logProbabilities(own, targets));
    }
    const expected = openWeightFile(join(path, "letters.safetensors"));
    onTestFinished(() => expected.close());
    expect(largestGap(found, [...expected.read("logp")])).toBeLessThan(1e-5);
  },
);
