import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parameterShapes } from "../../../src/graph/decoder/parameters.ts";
import { openModelWeights } from "../../../src/graph/safetensors/weight-file.ts";
import type { LetterScores, Model } from "../../../src/model/model.ts";
import { temporaryFolder } from "../../support/cli.ts";
import {
  copyModel,
  DECISIONS,
  largestGap,
  letterRequest,
  openForTest,
  SHORT_CHATS,
  TINY,
  textRequest,
} from "../onnx/support.ts";
import { openHf, TINY_CONFIG, tinyWeights, writeAdapter, writeTensors } from "./support.ts";

const LETTERS = SHORT_CHATS.map((chat, i) => letterRequest(`t-${i}`, chat));
const TEXTS = SHORT_CHATS.map((chat, i) => textRequest(`t-${i}`, chat, [0, 1]));
const SAMPLING = { temperature: 1, topP: 0.9, maxTokens: 8, seed: "3" };

async function scoresOf(model: Model, requests = LETTERS): Promise<number[]> {
  return (await model.scoreLetters(requests)).flatMap((scores) => {
    const { logprobs, letterMass } = scores as LetterScores;
    return [...logprobs, letterMass];
  });
}

test("whole prompts are scored as the float64 reference says", async () => {
  const requests = DECISIONS.map(({ id, messages }) => letterRequest(id, messages));
  const expected = DECISIONS.flatMap((prompt) => [
    ...Object.values(prompt.logprobs),
    prompt.letterMass,
  ]);
  expect(largestGap(await scoresOf(await openHf(TINY), requests), expected)).toBeLessThan(2e-4);
});

test("a model answers under hf: as its export does under onnx:, in both readouts", async () => {
  const [ours, exported] = [await openHf(TINY), await openForTest(TINY)];
  expect(largestGap(await scoresOf(ours), await scoresOf(exported))).toBeLessThan(1e-5);
  for (const temperature of [0, 1]) {
    const sampling = { ...SAMPLING, temperature };
    const texts = await ours.generate(TEXTS, sampling);
    expect(texts).toEqual(await exported.generate(TEXTS, sampling));
  }
});

// Threads run the built worker, as `npm test` builds it before.
test("one worker and two give what the calling thread gives, an adapter included", async () => {
  const adapter = writeAdapter().path;
  const models = [0, 1, 2].map((workers) => openHf(TINY, { workers, adapter }));
  const [own, ...others] = await Promise.all(models);
  const letters = await own?.scoreLetters(LETTERS);
  const texts = await own?.generate(TEXTS, SAMPLING);
  for (const model of others) {
    expect(await model.scoreLetters(LETTERS)).toEqual(letters);
    expect(await model.generate(TEXTS, SAMPLING)).toEqual(texts);
  }
});

test("the number format of the file is recorded, and only stored numbers count", async () => {
  const [short, wide] = [copyModel(TINY), copyModel(TINY)];
  const shapes = parameterShapes(TINY_CONFIG);
  writeTensors(join(short, "model.safetensors"), shapes, tinyWeights(), "BF16");
  const file = openModelWeights(short);
  const rounded = new Map([...shapes.keys()].map((name) => [name, file.read(name)]));
  file.close();
  writeTensors(join(wide, "model.safetensors"), shapes, rounded);
  const [bf16, fp32] = [await openHf(short), await openHf(wide)];
  expect([bf16, fp32].map((model) => model.describe().dtype)).toEqual(["bf16", "fp32"]);
  expect(largestGap(await scoresOf(bf16), await scoresOf(fp32))).toBeLessThan(1e-6);
});

test("a folder of links, as in a hub cache, works like the files that they lead to", async () => {
  const [cache, folder] = [copyModel(TINY), join(temporaryFolder(), "snapshot")];
  mkdirSync(folder);
  for (const file of ["config.json", "tokenizer.json", "tokenizer_config.json"]) {
    symlinkSync(join(cache, file), join(folder, file));
  }
  renameSync(join(cache, "model.safetensors"), join(cache, "blob"));
  symlinkSync(join(cache, "blob"), join(folder, "model.safetensors"));
  expect(await scoresOf(await openHf(folder))).toEqual(await scoresOf(await openHf(TINY)));
});

test("describes the model by its files' hashes and by what decides its answers", async () => {
  const { spec, name, files, dtype, endTokens, details } = (await openHf(TINY)).describe();
  expect([spec, name, dtype]).toEqual([`hf:${TINY}`, "tiny", "fp32"]);
  expect(endTokens).toEqual(["<|im_end|>", "<|endoftext|>"]);
  const provenance = JSON.parse(readFileSync(join(TINY, "PROVENANCE.json"), "utf8")) as {
    files: Record<string, { sha256: string }>;
  };
  expect(Object.keys(files)).toContain("model.safetensors");
  expect(Object.keys(files)).not.toContain("onnx/model.onnx");
  for (const [file, hash] of Object.entries(files)) {
    expect([file, hash]).toEqual([file, provenance.files[file]?.sha256]);
  }
  expect(details).toMatchObject({ graph: "model.safetensors", contextLength: 2048 });
  expect(details).not.toHaveProperty("adapter");
});
