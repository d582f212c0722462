import type { GraphFile, GraphNode } from "./graph-file.ts";

/** The matrix product that turns hidden states into logits, and what follows it. */
export interface OutputHead {
  /** The product; its first input is the hidden states, one row for each position. */
  readonly product: GraphNode;
  /** Names of all values from the logits back to the product's output. */
  readonly downstream: readonly string[];
}

const PRODUCTS = ["MatMul", "MatMulNBits", "MatMulInteger", "FusedMatMul"];
/** Operations that treat each position alike, provided that their other inputs know no position. */
const POINTWISE = ["Cast", "Identity", "Mul", "Div", "Add", "Sub", "Tanh"];
/** Its further outputs, scale and zero point, are one number for all positions. */
const QUANTISER = "DynamicQuantizeLinear";

/**
 * Follows the logits back to the product that makes them, through operations that act on each
 * position alone; only then may the product run on chosen positions.
 *
 * @returns null when the way back is not of this kind
 */
export function findOutputHead(graph: GraphFile, logits: string): OutputHead | null {
  const makers = new Map(graph.nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
  const isFixed = fixedValues(graph, makers);
  const downstream: string[] = [];
  for (let name = logits; ; ) {
    const maker = makers.get(name);
    if (maker === undefined) return null;
    downstream.push(name);
    if (PRODUCTS.includes(maker.op)) {
      return maker.inputs.slice(1).every(isFixed) ? { product: maker, downstream } : null;
    }
    const [next, ...others] = maker.inputs.filter((input) => !isFixed(input));
    if (!POINTWISE.includes(maker.op) || next === undefined || others.length > 0) return null;
    name = next;
  }
}

/** Whether a value is the same for every position: stored, or computed from such values alone. */
function fixedValues({ tensors }: GraphFile, makers: ReadonlyMap<string, GraphNode>) {
  const known = new Map(tensors.map((tensor) => [tensor.name, true]));
  // An optional input that is left out.
  known.set("", true);
  const isFixed = (name: string): boolean => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const maker = makers.get(name);
    const fixed =
      maker !== undefined &&
      (maker.inputs.every(isFixed) || (maker.op === QUANTISER && maker.outputs.indexOf(name) > 0));
    known.set(name, fixed);
    return fixed;
  };
  return isFixed;
}
