import type { DecoderConfig } from "../decoder/config.ts";
import { type LoraShape, loraNames, loraScale } from "../decoder/lora.ts";
import { moduleName, projectionShape } from "../decoder/parameters.ts";

/** Numbers of tensors, by name. */
export type Tensors = ReadonlyMap<string, Float32Array>;

/** W + scale · B A for every weight that an adapter changes, summed in double precision. */
export function mergeAdapter(
  config: DecoderConfig,
  lora: LoraShape,
  weights: { get(name: string): Float32Array | undefined },
  adapter: Tensors,
): Map<string, Float32Array> {
  const merged = new Map<string, Float32Array>();
  for (let layer = 0; layer < config.layers; layer++) {
    for (const projection of lora.targets) {
      const name = `${moduleName(layer, projection)}.weight`;
      const names = loraNames(layer, projection);
      const [base, a, b] = [weights.get(name), adapter.get(names.a), adapter.get(names.b)];
      if (base === undefined || a === undefined || b === undefined) {
        throw new Error(`${name} or its adapter is missing`);
      }
      const [out, into] = projectionShape(config, projection);
      merged.set(name, mergeMatrix(base, a, b, { out, into, rank: lora.rank }, loraScale(lora)));
    }
  }
  return merged;
}

function mergeMatrix(
  base: Float32Array,
  a: Float32Array,
  b: Float32Array,
  { out, into, rank }: { out: number; into: number; rank: number },
  scale: number,
): Float32Array {
  const merged = new Float32Array(base.length);
  const row = new Float64Array(into);
  for (let o = 0; o < out; o++) {
    row.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = scale * (b[o * rank + r] as number);
      for (let i = 0; i < into; i++)
        row[i] = (row[i] as number) + factor * (a[r * into + i] as number);
    }
    for (let i = 0; i < into; i++) {
      merged[o * into + i] = (base[o * into + i] as number) + (row[i] as number);
    }
  }
  return merged;
}
