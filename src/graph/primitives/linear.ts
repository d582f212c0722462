import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";
import { product } from "./product.ts";
import { flattenRows } from "./reshape.ts";

/**
 * y = scale · x Wᵀ, the weights stored as [out, in], as in model files.
 *
 * dx = scale · dy W, dW = scale · dyᵀ x, summed over all rows.
 *
 * @param x [..., in]
 * @returns [..., out]
 */
export function linear(t: Tape, x: Value, weight: Value, scale = 1): Value {
  return t.record(product(t, x, weight, { transposeB: true, scale }), [
    [x, (dy) => product(t, dy, weight, { scale })],
    [
      weight,
      (dy) => product(t, flattenRows(t, dy), flattenRows(t, x), { transposeA: true, scale }),
    ],
  ]);
}
