import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";
import { flattenRows } from "./reshape.ts";

/**
 * y = w · x̂ with x̂ = x · r and r = 1 / √(mean(x²) + ε) along the last axis.
 *
 * dw = Σ dy x̂ over all rows; dx = r · (g − x̂ mean(g x̂)) with g = w dy. The runtime's
 * SimplifiedLayerNormalization gives r as its second output.
 *
 * @param x [..., n]
 * @param weight [n]
 */
export function rmsNorm(t: Tape, x: Value, weight: Value, epsilon: number): Value {
  const rowShape = [...x.shape.slice(0, -1), 1];
  const [y, r] = t.nodes("SimplifiedLayerNormalization", [x, weight], [x.shape, rowShape], {
    axis: -1,
    epsilon: { float: epsilon },
    stash_type: 1,
  }) as [Value, Value];
  const normalised = () => t.node("Mul", [x, r], x.shape);
  return t.record(y, [
    [
      x,
      (dy) => {
        const xHat = normalised();
        const g = t.node("Mul", [dy, weight], x.shape);
        const along = t.node("Mul", [g, xHat], x.shape);
        const mean = t.node("ReduceMean", [along, t.ints([-1])], rowShape, { keepdims: 1 });
        const across = t.node("Sub", [g, t.node("Mul", [xHat, mean], x.shape)], x.shape);
        return t.node("Mul", [across, r], x.shape);
      },
    ],
    [
      weight,
      (dy) => {
        const parts = flattenRows(t, t.node("Mul", [dy, normalised()], x.shape));
        return t.node("ReduceSum", [parts, t.ints([0])], weight.shape, { keepdims: 0 });
      },
    ],
  ]);
}
