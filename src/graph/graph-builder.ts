import {
  type Attribute,
  type ElementType,
  encodeGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from "./onnx/encode-graph.ts";
import type { Shape } from "./shape.ts";

/** A tensor inside a graph that is being built. */
export interface Value {
  readonly name: string;
  readonly shape: Shape;
  /** Whether a gradient with respect to it, or to something it is made of, can be asked for. */
  readonly tracked: boolean;
}

/** Settings of an operation, by name. */
export type Attributes = Readonly<Record<string, Attribute>>;

/** Collects the operations of a graph in the order in which they are added. */
export interface GraphBuilder {
  /** One operation with one output. */
  node(op: string, inputs: readonly Value[], shape: Shape, attributes?: Attributes): Value;
  /** One operation with an output for each shape. */
  nodes(
    op: string,
    inputs: readonly Value[],
    shapes: readonly Shape[],
    attributes?: Attributes,
  ): Value[];
  /** A tensor that is handed over at each run. */
  input(name: string, shape: Shape, options?: { type?: ElementType; tracked?: boolean }): Value;
  /** A tensor that belongs to the graph. */
  tensor(tensor: OnnxTensor): Value;
  /** Whole numbers along one axis; equal ones are kept once. */
  ints(values: readonly number[]): Value;
  /** One whole number; equal ones are kept once. */
  int(value: number): Value;
  /** One number in single precision; equal ones are kept once. */
  float(value: number): Value;
  /** Names a value, which must be single precision, and hands it out of the graph. */
  output(name: string, value: Value): void;
  /** The ONNX file; the same calls give the same bytes. */
  encode(): Uint8Array;
}

/** An empty graph. */
export function makeBuilder(): GraphBuilder {
  const nodes: OnnxNode[] = [];
  const tensors: OnnxTensor[] = [];
  const inputs: OnnxValue[] = [];
  const outputs: OnnxValue[] = [];
  /** Values that are handed out, by the names they were made under. */
  const outputNames = new Map<string, string>();
  const constants = new Map<string, Value>();
  /** Names of everything that a node makes. */
  const made = new Set<string>();

  const addNode = (
    op: string,
    from: readonly Value[],
    shapes: readonly Shape[],
    attributes: Attributes,
  ) => {
    const values = shapes.map((shape, i) => {
      return { name: `${op}_${nodes.length}${i > 0 ? `_${i}` : ""}`, shape, tracked: false };
    });
    for (const { name } of values) made.add(name);
    nodes.push({
      op,
      inputs: from.map(({ name }) => name),
      outputs: values.map(({ name }) => name),
      attributes,
    });
    return values;
  };
  const addTensor = (tensor: OnnxTensor): Value => {
    tensors.push(tensor);
    return { name: tensor.name, shape: tensor.shape, tracked: false };
  };
  const constant = (name: string, tensor: Omit<OnnxTensor, "name">): Value => {
    const value = constants.get(name) ?? addTensor({ name, ...tensor });
    constants.set(name, value);
    return value;
  };

  return {
    node: (op, from, shape, attributes = {}) => addNode(op, from, [shape], attributes)[0] as Value,
    nodes: (op, from, shapes, attributes = {}) => addNode(op, from, shapes, attributes),
    input(name, shape, { type = "float32", tracked = false } = {}) {
      inputs.push({ name, type, shape });
      return { name, shape, tracked };
    },
    tensor: addTensor,
    ints: (values) =>
      constant(`ints_${values.join("_")}`, {
        type: "int64",
        shape: [values.length],
        content: bytesOf(BigInt64Array.from(values, BigInt)),
      }),
    int: (value) =>
      constant(`int_${value}`, {
        type: "int64",
        shape: [],
        content: bytesOf(BigInt64Array.of(BigInt(value))),
      }),
    float: (value) =>
      constant(`float_${value}`, {
        type: "float32",
        shape: [],
        content: bytesOf(Float32Array.of(value)),
      }),
    output(name, value) {
      const isFree = made.has(value.name) && !outputNames.has(value.name);
      if (isFree) outputNames.set(value.name, name);
      else nodes.push({ op: "Identity", inputs: [value.name], outputs: [name], attributes: {} });
      outputs.push({ name, type: "float32", shape: value.shape });
    },
    encode() {
      // Under its own name a value is handed out as it is; an operation that renames it would copy.
      const renamed = (names: readonly string[]) =>
        names.map((name) => outputNames.get(name) ?? name);
      const named = nodes.map((node) => {
        return { ...node, inputs: renamed(node.inputs), outputs: renamed(node.outputs) };
      });
      return encodeGraph({ nodes: named, tensors, inputs, outputs });
    },
  };
}

/** The bytes of numbers as they lie in memory, which is little-endian on every machine Node runs on. */
export function bytesOf(numbers: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
