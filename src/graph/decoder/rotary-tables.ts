import { bytesOf, type GraphBuilder } from "../graph-builder.ts";
import type { RotaryTables } from "../primitives/rotary.ts";
import type { DecoderConfig } from "./config.ts";

/**
 * Adds the angles of all positions to a graph: position / θ^(2i / head size). They are rounded to
 * single precision where torch rounds them, since models were trained with those angles: at
 * position 5,000 the exact ones differ by 1e-4.
 */
export function addRotaryTables(g: GraphBuilder, config: DecoderConfig): RotaryTables {
  const { ropeTheta, headSize, context } = config;
  const half = headSize / 2;
  const frequencies = Array.from({ length: half }, (_, i) =>
    Math.fround(1 / Math.fround(ropeTheta ** Math.fround((2 * i) / headSize))),
  );
  const tableOf = (name: string, value: (angle: number) => number) => {
    const numbers = new Float32Array(context * half);
    for (let position = 0; position < context; position++) {
      frequencies.forEach((frequency, i) => {
        numbers[position * half + i] = value(Math.fround(position * frequency));
      });
    }
    return g.tensor({
      name: `rotary.${name}`,
      type: "float32",
      shape: [context, half],
      content: bytesOf(numbers),
    });
  };
  return {
    cos: tableOf("cos", Math.cos),
    sin: tableOf("sin", Math.sin),
    negativeSin: tableOf("negative_sin", (angle) => -Math.sin(angle)),
  };
}
