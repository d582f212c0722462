import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readAdapterConfig } from "../../src/graph/adapter/adapter-config.ts";
import { type BatchRow, layOutBatch } from "../../src/graph/batch.ts";
import { readWeights } from "../../src/graph/decoder/check-weights.ts";
import { readDecoderConfig } from "../../src/graph/decoder/config.ts";
import { loraShapes } from "../../src/graph/decoder/lora.ts";
import { parameterShapes } from "../../src/graph/decoder/parameters.ts";
import { openModelWeights, openWeightFile } from "../../src/graph/safetensors/weight-file.ts";
import { feedWeights, integers } from "../../src/graph/tensor-data.ts";
import { buildTrainingGraph, gradientName, type LossKind } from "../../src/graph/training-graph.ts";
import { readFixture, repositoryPath } from "../support/fixtures.ts";
import { numbersOf, openGraph, relativeError } from "./support.ts";

// What torch, transformers and peft say about the same models: made by make_fixtures.py.

const FOLDER = repositoryPath("test/fixtures/graph");
const BATCH = JSON.parse(readFixture("graph/batch.json")) as Record<LossKind, BatchRow[]> & {
  readonly letterIds: number[];
};
const CASES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

function openForTest<File extends { close(): void }>(file: File): File {
  onTestFinished(() => file.close());
  return file;
}

/** A fixture's model and adapter, ready to be fed. */
function readModel(name: string) {
  const path = join(FOLDER, name);
  const config = readDecoderConfig(readJson(join(path, "config.json")), "config.json");
  const shapes = parameterShapes(config);
  const weights = feedWeights(shapes, readWeights(openForTest(openModelWeights(path)), shapes));
  const folder = join(path, "adapter");
  if (!existsSync(folder)) return { config, lora: null, feeds: weights };
  const lora = readAdapterConfig(readJson(join(folder, "adapter_config.json")), "adapter");
  const file = openForTest(openWeightFile(join(folder, "adapter_model.safetensors")));
  const added = loraShapes(config, lora);
  return { config, lora, feeds: { ...weights, ...feedWeights(added, readWeights(file, added)) } };
}

const EACH = CASES.flatMap((name) =>
  (["vocabulary", "letters"] as const).flatMap((kind) =>
    [1, 2].map((threads) => [name, kind, threads] as const),
  ),
);

test.each(EACH)("%s: loss and gradients over %s are torch's, threads: %d", async (...one) => {
  const [name, kind, threads] = one;
  const { config, lora, feeds } = readModel(name);
  const trained = lora === null ? "model" : "adapter";
  const options = { config, lora, weights: "inputs", adapter: "inputs", trained } as const;
  const graph = buildTrainingGraph(options, kind);
  const session = await openGraph(graph.bytes, { threads });
  const letters = integers(BATCH.letterIds, [BATCH.letterIds.length]);
  const batch = layOutBatch(BATCH[kind], config);
  const outputs = await session.run({
    ...feeds,
    ...batch.feeds,
    ...(kind === "letters" ? { letters } : {}),
  });
  const expected = openForTest(openWeightFile(join(FOLDER, name, `${kind}.safetensors`)));
  const names = ["loss", "logp", ...[...graph.trained.keys()].map(gradientName)];
  expect([...expected.tensors.keys()].sort()).toEqual(names.sort());
  for (const output of names) {
    const error = relativeError(numbersOf(outputs, output), expected.read(output));
    expect(error, output).toBeLessThan(1e-5);
  }
});

test("the fixtures cover both architectures, grouped heads and not, adapters and whole models", () => {
  const kinds = CASES.map((name) => {
    const { config, lora } = readModel(name);
    const grouped = config.heads > config.keyValueHeads;
    return `bias ${config.hasBias}, grouped ${grouped}, tied ${config.isTied}, lora ${lora !== null}`;
  });
  expect(kinds).toEqual([
    "bias false, grouped false, tied true, lora false",
    "bias false, grouped true, tied false, lora true",
    "bias true, grouped true, tied false, lora false",
    "bias true, grouped false, tied true, lora true",
  ]);
});
