import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";

/** Tables of angles, one row for each position and one column for each pair of dimensions. */
export interface RotaryTables {
  readonly cos: Value;
  readonly sin: Value;
  /** The sines negated: turning back. */
  readonly negativeSin: Value;
}

/**
 * Rotary position embedding: turns dimension i together with dimension i + half by the angle of
 * their position. A rotation's transpose turns back, so the gradient takes the negated sines.
 *
 * @param x [batch, heads, tokens, head size]
 * @param positions [batch, tokens]
 */
export function rotary(t: Tape, x: Value, positions: Value, tables: RotaryTables): Value {
  const { cos, sin, negativeSin } = tables;
  const turn = (value: Value, sines: Value) =>
    t.node("RotaryEmbedding", [value, positions, cos, sines], x.shape, { interleaved: 0 });
  return t.record(turn(x, sin), [[x, (dy) => turn(dy, negativeSin)]]);
}
