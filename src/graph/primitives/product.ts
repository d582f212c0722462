import type { GraphBuilder, Value } from "../graph-builder.ts";
import { lastSize, type Size } from "../shape.ts";

/** How the two factors of a matrix product are read. */
export interface ProductOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** Factor on the result. */
  readonly scale?: number;
}

/**
 * The matrix product over the last two axes; axes before them are those of `a`. No gradient. The
 * runtime's FusedMatMul reads either factor transposed, so that no transposed copy is ever made.
 *
 * @throws Error when the inner sizes differ
 */
export function product(
  g: GraphBuilder,
  a: Value,
  b: Value,
  { transposeA = false, transposeB = false, scale = 1 }: ProductOptions = {},
): Value {
  const [rows, innerA] = lastTwo(a, transposeA);
  const [innerB, columns] = lastTwo(b, transposeB);
  if (innerA !== innerB) {
    throw new Error(`inner sizes of ${a.name} and ${b.name} differ: ${innerA} and ${innerB}`);
  }
  const shape = [...a.shape.slice(0, -2), rows, columns];
  if (!transposeA && !transposeB && scale === 1) return g.node("MatMul", [a, b], shape);
  return g.node("FusedMatMul", [a, b], shape, {
    transA: Number(transposeA),
    transB: Number(transposeB),
    alpha: { float: scale },
  });
}

function lastTwo({ shape }: Value, transposed: boolean): readonly [Size, Size] {
  const [rows, columns] = [shape.at(-2) ?? 1, lastSize(shape)];
  return transposed ? [columns, rows] : [rows, columns];
}
