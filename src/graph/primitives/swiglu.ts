import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";

/**
 * y = silu(g) · u with silu(g) = g σ(g).
 *
 * du = dy silu(g); dg = dy u (σ + silu(g) (1 − σ)) = (dy u) σ + (dy y) (1 − σ).
 *
 * @param gate g
 * @param up u, of the same shape
 */
export function swiglu(t: Tape, gate: Value, up: Value): Value {
  const { shape } = gate;
  const times = (a: Value, b: Value) => t.node("Mul", [a, b], shape);
  const sigma = t.node("Sigmoid", [gate], shape);
  const silu = times(gate, sigma);
  const y = times(silu, up);
  return t.record(y, [
    [
      gate,
      (dy) => {
        const outer = times(times(dy, up), sigma);
        const inner = times(dy, y);
        const rest = t.node("Sub", [inner, times(inner, sigma)], shape);
        return t.node("Add", [outer, rest], shape);
      },
    ],
    [up, (dy) => times(dy, silu)],
  ]);
}
