import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { layOutBatch } from "../../src/graph/batch.ts";
import { readWeights } from "../../src/graph/decoder/check-weights.ts";
import { loraShapes } from "../../src/graph/decoder/lora.ts";
import { parameterShapes, type Shapes } from "../../src/graph/decoder/parameters.ts";
import { weightsInFile } from "../../src/graph/decoder/stored-weights.ts";
import { NUMBER_FORMATS, type NumberFormat } from "../../src/graph/safetensors/number-formats.ts";
import { openWeightFile } from "../../src/graph/safetensors/weight-file.ts";
import { safetensorsPieces } from "../../src/graph/safetensors/write.ts";
import { feedWeights } from "../../src/graph/tensor-data.ts";
import { buildTrainingGraph } from "../../src/graph/training-graph.ts";
import { temporaryFolder } from "../support/cli.ts";
import { numbersOf, openGraph, relativeError, SMALL, SMALL_LORA, smallModel } from "./support.ts";

/** Writes tensors into a file of the folder and opens it. */
function store(
  folder: string,
  name: string,
  shapes: Shapes,
  tensors: ReadonlyMap<string, Float32Array>,
  format: NumberFormat,
) {
  const entries = [...shapes].map(([key, shape]) => {
    return [key, { format, shape, numbers: () => tensors.get(key) as Float32Array }] as const;
  });
  writeFileSync(join(folder, name), Buffer.concat([...safetensorsPieces(new Map(entries))]));
  return openWeightFile(join(folder, name));
}

test.each(NUMBER_FORMATS)(
  "weights of %s that the runtime reads are those read here",
  async (format) => {
    const folder = temporaryFolder();
    const { weights, adapter } = smallModel();
    const [shapes, added] = [parameterShapes(SMALL), loraShapes(SMALL, SMALL_LORA)];
    const model = store(folder, "model.safetensors", shapes, weights, format);
    const lora = store(folder, "adapter.safetensors", added, adapter, format);
    const common = { config: SMALL, lora: SMALL_LORA, trained: "nothing" } as const;
    const stored = buildTrainingGraph(
      {
        ...common,
        weights: weightsInFile(model.tensors, "model.safetensors"),
        adapter: weightsInFile(lora.tensors, "adapter.safetensors"),
      },
      "vocabulary",
    );
    const given = buildTrainingGraph(
      { ...common, weights: "inputs", adapter: "inputs" },
      "vocabulary",
    );
    const row = { prompt: [1, 2, 3], answers: [{ targets: [4, 5, 6], weights: [1, 1, 1] }] };
    const { feeds } = layOutBatch([row], SMALL);
    const inputs = {
      ...feedWeights(shapes, readWeights(model, shapes)),
      ...feedWeights(added, readWeights(lora, added)),
    };
    const a = await (await openGraph(stored.bytes, { folder })).run(feeds);
    const b = await (await openGraph(given.bytes)).run({ ...inputs, ...feeds });
    expect(relativeError(numbersOf(a, "logp"), numbersOf(b, "logp"))).toBeLessThan(1e-5);
    model.close();
    lora.close();
  },
);

test("a name that the file does not have is told", () => {
  expect(() => weightsInFile(new Map(), "m.safetensors")("w")).toThrow("m.safetensors has no w");
});
