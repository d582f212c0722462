import { createReadStream } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../data/write-file.ts";
import {
  ADAPTER_CONFIG,
  ADAPTER_WEIGHTS,
  makeAdapterConfig,
} from "../graph/adapter/adapter-config.ts";
import type { Tensors } from "../graph/adapter/merge.ts";
import type { LoraShape } from "../graph/decoder/lora.ts";
import type { Shapes } from "../graph/decoder/parameters.ts";
import { safetensorsPieces, type TensorToWrite } from "../graph/safetensors/write.ts";
import { CONFIG } from "../model/onnx/text-files.ts";
import { type BaseModel, WEIGHTS } from "./base-model.ts";

/** Writes tensors in single precision as one safetensors file. */
export async function writeTensors(path: string, shapes: Shapes, tensors: Tensors): Promise<void> {
  await writeFileAtomic(path, safetensorsPieces(inSinglePrecision(shapes, tensors)));
}

/** Writes an adapter as PEFT does. */
export async function writeAdapter(
  folder: string,
  base: BaseModel,
  lora: LoraShape,
  shapes: Shapes,
  adapter: Tensors,
): Promise<void> {
  await writeTensors(join(folder, ADAPTER_WEIGHTS), shapes, adapter);
  const config = makeAdapterConfig(lora, base.name);
  await writeFileAtomic(join(folder, ADAPTER_CONFIG), `${JSON.stringify(config, null, 2)}\n`);
}

/** What of a model folder is replaced when it is written anew. */
export interface Replacement {
  /** Tensors that are new or other than the base's, with their shapes. */
  readonly tensors: Tensors;
  readonly shapes: Shapes;
  /** Fields of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * Writes a whole model folder: the base's files with some tensors replaced. Those are stored in
 * single precision, the others as they were, tensor by tensor.
 */
export async function writeModel(
  folder: string,
  base: BaseModel,
  { tensors, shapes, config = {} }: Replacement,
): Promise<void> {
  const stored = [...base.weights.tensors].map(([name, { format, shape }]) => {
    const tensor: TensorToWrite = { format, shape, numbers: () => base.weights.read(name) };
    return [name, tensor] as const;
  });
  const all = new Map([...stored, ...inSinglePrecision(shapes, tensors)]);
  await writeFileAtomic(join(folder, WEIGHTS), safetensorsPieces(all));
  for (const file of base.files) {
    if (file === WEIGHTS || file === CONFIG) continue;
    await writeFileAtomic(join(folder, file), createReadStream(join(base.path, file)));
  }
  const fields = { ...base.rawConfig, ...config };
  await writeFileAtomic(join(folder, CONFIG), `${JSON.stringify(fields, null, 2)}\n`);
}

function inSinglePrecision(shapes: Shapes, tensors: Tensors): Map<string, TensorToWrite> {
  return new Map(
    [...tensors].map(([name, numbers]) => {
      const shape = shapes.get(name);
      if (shape === undefined) throw new Error(`${name} has no shape`);
      return [name, { format: "F32", shape, numbers: () => numbers }];
    }),
  );
}
