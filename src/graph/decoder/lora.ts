import { randomStream } from "../../core/random.ts";
import { countOf } from "../shape.ts";
import type { DecoderConfig } from "./config.ts";
import { moduleName, type Projection, projectionShape, type Shapes } from "./parameters.ts";

/** Which projections have an adapter, and of what size: W + (alpha / rank) · B A. */
export interface LoraShape {
  readonly rank: number;
  readonly alpha: number;
  /** Trained in every layer; none twice. */
  readonly targets: readonly Projection[];
}

/** The two factors of a projection's adapter, named as in PEFT's files. */
export function loraNames(layer: number, projection: Projection): { a: string; b: string } {
  const module = `base_model.model.${moduleName(layer, projection)}`;
  return { a: `${module}.lora_A.weight`, b: `${module}.lora_B.weight` };
}

/** Factor on an adapter's product. */
export function loraScale({ rank, alpha }: LoraShape): number {
  return alpha / rank;
}

/** Every tensor of an adapter: A is [rank, in], B is [out, rank]. */
export function loraShapes(config: DecoderConfig, { rank, targets }: LoraShape): Shapes {
  const shapes = new Map<string, readonly number[]>();
  for (let layer = 0; layer < config.layers; layer++) {
    for (const projection of targets) {
      const [out, into] = projectionShape(config, projection);
      const { a, b } = loraNames(layer, projection);
      shapes.set(a, [rank, into]);
      shapes.set(b, [out, rank]);
    }
  }
  return shapes;
}

/**
 * An adapter before training: A uniform within ±1/√in, as PEFT draws it, and B zero, so that the
 * model begins unchanged.
 */
export function initialAdapter(
  config: DecoderConfig,
  lora: LoraShape,
  seed: number | string,
): Map<string, Float32Array> {
  const tensors = new Map<string, Float32Array>();
  for (const [name, shape] of loraShapes(config, lora)) {
    const numbers = new Float32Array(countOf(shape));
    if (name.includes(".lora_A.")) {
      const random = randomStream(seed, "lora", name);
      const bound = 1 / Math.sqrt(shape[1] ?? 1);
      for (let i = 0; i < numbers.length; i++) numbers[i] = (2 * random() - 1) * bound;
    }
    tensors.set(name, numbers);
  }
  return tensors;
}
