/** One axis of a tensor: a size, or a symbol for one that is known when the graph runs. */
export type Size = number | string;

/** The axes of a tensor; empty for a single number. */
export type Shape = readonly Size[];

/** Numbers of a tensor of this shape. */
export function countOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Numbers of all tensors of these shapes. */
export function countAll(shapes: ReadonlyMap<string, readonly number[]>): number {
  return [...shapes.values()].reduce((sum, shape) => sum + countOf(shape), 0);
}

/** Whether two shapes have the same axes, symbols by name. */
export function isSameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((size, axis) => size === b[axis]);
}

/** The last axis. */
export function lastSize(shape: Shape): Size {
  return shape.at(-1) ?? 1;
}
