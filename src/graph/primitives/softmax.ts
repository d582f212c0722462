import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";

/** p = softmax(x) along the last axis: dx = p · (dp − Σ p dp). */
export function softmax(t: Tape, x: Value): Value {
  const p = t.node("Softmax", [x], x.shape, { axis: -1 });
  return t.record(p, [
    [
      x,
      (dp) => {
        const weighted = t.node("Mul", [p, dp], x.shape);
        const sumShape = [...x.shape.slice(0, -1), 1];
        const sum = t.node("ReduceSum", [weighted, t.ints([-1])], sumShape, { keepdims: 1 });
        return t.node("Sub", [weighted, t.node("Mul", [p, sum], x.shape)], x.shape);
      },
    ],
  ]);
}
