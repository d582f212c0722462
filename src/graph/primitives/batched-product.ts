import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";
import { type ProductOptions, product } from "./product.ts";

/**
 * The matrix product over the last two axes of factors that share all axes before them.
 *
 * y = s · a b: da = s · dy bᵀ, db = s · aᵀ dy. y = s · a bᵀ: da = s · dy b, db = s · dyᵀ a.
 */
export function batchedProduct(
  t: Tape,
  a: Value,
  b: Value,
  { transposeB = false, scale = 1 }: Omit<ProductOptions, "transposeA"> = {},
): Value {
  return t.record(product(t, a, b, { transposeB, scale }), [
    [a, (dy) => product(t, dy, b, { transposeB: !transposeB, scale })],
    [
      b,
      (dy) =>
        transposeB
          ? product(t, dy, a, { transposeA: true, scale })
          : product(t, a, dy, { transposeA: true, scale }),
    ],
  ]);
}
