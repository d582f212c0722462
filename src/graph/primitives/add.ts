import type { Value } from "../graph-builder.ts";
import { isSameShape } from "../shape.ts";
import type { Tape } from "../tape.ts";
import { flattenRows } from "./reshape.ts";

/** a + b of one shape: both take the gradient as it is. */
export function add(t: Tape, a: Value, b: Value): Value {
  if (!isSameShape(a.shape, b.shape)) {
    throw new Error(`${a.name} and ${b.name} differ in shape: ${a.shape} and ${b.shape}`);
  }
  return t.record(t.node("Add", [a, b], a.shape), [
    [a, (dy) => dy],
    [b, (dy) => dy],
  ]);
}

/** x plus a mask that is spread over the axes where its size is 1, and has no gradient. */
export function addMask(t: Tape, x: Value, mask: Value): Value {
  return t.record(t.node("Add", [x, mask], x.shape), [[x, (dy) => dy]]);
}

/**
 * x + b, the same b for every row: db = dy summed over all rows.
 *
 * @param x [..., n]
 * @param bias [n]
 */
export function addBias(t: Tape, x: Value, bias: Value): Value {
  return t.record(t.node("Add", [x, bias], x.shape), [
    [x, (dy) => dy],
    [
      bias,
      (dy) => t.node("ReduceSum", [flattenRows(t, dy), t.ints([0])], bias.shape, { keepdims: 0 }),
    ],
  ]);
}
