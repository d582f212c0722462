import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  ADAPTER_CONFIG,
  ADAPTER_WEIGHTS,
  makeAdapterConfig,
} from "../../../src/graph/adapter/adapter-config.ts";
import { readWeights } from "../../../src/graph/decoder/check-weights.ts";
import { type DecoderConfig, readDecoderConfig } from "../../../src/graph/decoder/config.ts";
import { type LoraShape, loraShapes } from "../../../src/graph/decoder/lora.ts";
import { parameterShapes, type Shapes } from "../../../src/graph/decoder/parameters.ts";
import type { NumberFormat } from "../../../src/graph/safetensors/number-formats.ts";
import { openModelWeights } from "../../../src/graph/safetensors/weight-file.ts";
import { safetensorsPieces } from "../../../src/graph/safetensors/write.ts";
import { type HfOptions, openHfModel } from "../../../src/model/hf/hf-model.ts";
import type { LocalModel } from "../../../src/model/onnx/local-model.ts";
import { randomFloats, SMALL_LORA } from "../../graph/support.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { TINY } from "../onnx/support.ts";

type Tensors = ReadonlyMap<string, Float32Array>;

/** The embedded model's shape. */
export const TINY_CONFIG = readDecoderConfig(
  JSON.parse(readFileSync(join(TINY, "config.json"), "utf8")),
  "config.json",
);

/** Opens a model in the calling thread and closes it at the end of the test. */
export async function openHf(path: string, options: HfOptions = {}): Promise<LocalModel> {
  const model = await openHfModel(path, { workers: 0, ...options });
  onTestFinished(() => model.close());
  return model;
}

/** The embedded model's numbers. */
export function tinyWeights(): Map<string, Float32Array> {
  const file = openModelWeights(TINY);
  try {
    return readWeights(file, parameterShapes(TINY_CONFIG));
  } finally {
    file.close();
  }
}

/** Writes a safetensors file. */
export function writeTensors(
  path: string,
  shapes: Shapes,
  tensors: Tensors,
  format: NumberFormat = "F32",
): void {
  const entries = [...shapes].map(([name, shape]) => {
    return [name, { format, shape, numbers: () => tensors.get(name) as Float32Array }] as const;
  });
  writeFileSync(path, Buffer.concat([...safetensorsPieces(new Map(entries))]));
}

/** A random adapter in a folder of its own, strong enough to move every answer. */
export function writeAdapter(
  config: DecoderConfig = TINY_CONFIG,
  lora: LoraShape = SMALL_LORA,
): { readonly path: string; readonly tensors: Tensors } {
  const path = join(temporaryFolder(), "sft");
  mkdirSync(path);
  const shapes = loraShapes(config, lora);
  const tensors = new Map(
    [...shapes].map(([name, [rows = 0, columns = 0]]) => {
      return [name, randomFloats(name, rows * columns, 0.1)] as const;
    }),
  );
  writeTensors(join(path, ADAPTER_WEIGHTS), shapes, tensors);
  writeFileSync(join(path, ADAPTER_CONFIG), JSON.stringify(makeAdapterConfig(lora, "tiny")));
  return { path, tensors };
}
