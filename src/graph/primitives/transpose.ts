import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";

/** Axis i of the result is axis `order[i]` of x; the gradient takes the way back. */
export function transpose(t: Tape, x: Value, order: readonly number[]): Value {
  const shape = order.map((axis) => x.shape[axis] ?? 1);
  const back = order.map((_, axis) => order.indexOf(axis));
  return t.record(t.node("Transpose", [x], shape, { perm: order }), [
    [x, (dy) => t.node("Transpose", [dy], x.shape, { perm: back })],
  ]);
}
