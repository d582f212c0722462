import type { TensorPlace } from "../safetensors/header.ts";
import type { NumberFormat } from "../safetensors/number-formats.ts";
import type { StoredWeight } from "./model-in-graph.ts";

const TYPES: Readonly<Record<NumberFormat, StoredWeight["type"]>> = {
  F32: "float32",
  F16: "float16",
  BF16: "bfloat16",
};

/**
 * Weights that the runtime reads from a safetensors file by itself, so that they never lie in
 * JavaScript's memory.
 *
 * @param location the file, relative to the folder that the runtime is given
 */
export function weightsInFile(
  tensors: ReadonlyMap<string, TensorPlace>,
  location: string,
): (name: string) => StoredWeight {
  return (name) => {
    const place = tensors.get(name);
    if (place === undefined) throw new Error(`${location} has no ${name}`);
    const { format, offset, length } = place;
    return { type: TYPES[format], location, offset, length };
  };
}
