import type { GraphBuilder, Value } from "../graph-builder.ts";
import { lastSize, type Shape } from "../shape.ts";
import type { Tape } from "../tape.ts";

/**
 * The same numbers under another shape. A symbol of the new shape stands for the size of the axis
 * of that name at the same place; one other symbol may be new, and takes what is left.
 */
export function reshape(t: Tape, x: Value, shape: Shape): Value {
  return t.record(reshapeTo(t, x, shape), [[x, (dy) => reshapeLike(t, dy, x)]]);
}

/** {@link reshape} without a gradient. */
export function reshapeTo(g: GraphBuilder, x: Value, shape: Shape): Value {
  const sizes = sizesOf(x.shape, shape);
  if (sizes === null) throw new Error(`${x.name}: ${x.shape} cannot be seen as ${shape}`);
  return g.node("Reshape", [x, g.ints(sizes)], shape);
}

/** All axes but the last as one, for products that sum over every row. */
export function flattenRows(g: GraphBuilder, x: Value): Value {
  if (x.shape.length === 2) return x;
  return reshapeTo(g, x, [x.shape.slice(0, -1).join("*"), lastSize(x.shape)]);
}

/** `x` with the shape of another value. */
export function reshapeLike(g: GraphBuilder, x: Value, like: Value): Value {
  const sizes = sizesOf(x.shape, like.shape);
  const known = sizes === null ? g.node("Shape", [like], [like.shape.length]) : g.ints(sizes);
  return g.node("Reshape", [x, known], like.shape);
}

/** ONNX's way of naming sizes: 0 keeps an axis, -1 takes what is left; null when two are unknown. */
function sizesOf(from: Shape, to: Shape): number[] | null {
  const sizes = to.map((size, axis) =>
    typeof size === "number" ? size : size === from[axis] ? 0 : -1,
  );
  return sizes.filter((size) => size === -1).length > 1 ? null : sizes;
}
