import type { GraphBuilder, Value } from "../graph-builder.ts";
import { lastSize } from "../shape.ts";
import type { Tape } from "../tape.ts";
import { flattenRows } from "./reshape.ts";

/**
 * Rows of a table by number: token embeddings, or the hidden states of chosen tokens. The gradient
 * adds each row's part to the row that it came from; a row can be chosen several times.
 *
 * @param table [rows, width]
 * @param indices whole numbers of any shape
 * @returns [...shape of indices, width]
 */
export function gather(t: Tape, table: Value, indices: Value): Value {
  const shape = [...indices.shape, lastSize(table.shape)];
  return t.record(t.node("Gather", [table, indices], shape, { axis: 0 }), [
    [table, (dy) => addRows(t, table, indices, flattenRows(t, dy))],
  ]);
}

/**
 * A table of zeros, of the shape of `like`, with rows added to it. ScatterElements works through
 * them in order; ScatterND loses updates on the CPU when rows repeat and several threads run.
 */
function addRows(g: GraphBuilder, like: Value, indices: Value, rows: Value): Value {
  const zeros = g.node("Expand", [g.float(0), g.node("Shape", [like], [2])], like.shape);
  const list = g.node("Reshape", [indices, g.ints([-1, 1])], [rows.shape[0] ?? 1, 1]);
  const places = g.node("Expand", [list, g.node("Shape", [rows], [2])], rows.shape);
  return g.node("ScatterElements", [zeros, places, rows], like.shape, {
    axis: 0,
    reduction: "add",
  });
}
