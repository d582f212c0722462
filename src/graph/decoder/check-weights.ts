import { type Fault, SteerError } from "../../core/errors.ts";
import type { TensorPlace } from "../safetensors/header.ts";
import type { WeightFile } from "../safetensors/weight-file.ts";
import { HEAD, type Shapes } from "./parameters.ts";

/** Stored by some models and computed here: angles, and the copy of an embedding that is the head. */
const RECOMPUTED = /\.rotary_emb\.inv_freq$/;

/**
 * Holds the tensors of a file against those that a model or adapter needs.
 *
 * @throws SteerError `mismatch` that lists every tensor that is missing, of another size, or would
 * be left out of the computation
 */
export function checkWeights(
  found: ReadonlyMap<string, TensorPlace>,
  needed: Shapes,
  file: string,
): void {
  const faults: Fault[] = [];
  const add = (path: string, message: string) => faults.push({ file, path, message });
  for (const [name, shape] of needed) {
    const own = found.get(name)?.shape;
    if (own === undefined) add(name, `is missing; config asks for it, of shape ${shape.join("x")}`);
    else if (own.join() !== shape.join()) {
      add(name, `is of shape ${own.join("x")}, and config asks for ${shape.join("x")}`);
    }
  }
  for (const name of found.keys()) {
    if (needed.has(name) || name === HEAD || RECOMPUTED.test(name)) continue;
    add(name, "has no place in a model of this config; the files belong to different models");
  }
  if (faults.length > 0) throw SteerError.fromFaults("mismatch", faults);
}

/**
 * Reads every tensor that a model or adapter needs.
 *
 * @throws SteerError as for {@link checkWeights}
 */
export function readWeights(file: WeightFile, needed: Shapes): Map<string, Float32Array> {
  checkWeights(file.tensors, needed, file.path);
  return new Map([...needed.keys()].map((name) => [name, file.read(name)]));
}
