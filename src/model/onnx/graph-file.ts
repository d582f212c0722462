import type { RandomAccess } from "./random-access.ts";
import { type Field, readFields, readText } from "./wire.ts";

/** One operation of a graph. An unused optional input is an empty name. */
export interface GraphNode {
  readonly op: string;
  /** Empty for ONNX's own operations. */
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly field: Field;
}

/** Where a tensor's bytes lie in a side file. */
export interface ExternalPlace {
  /** Relative to the graph's folder, as the graph says it. */
  readonly location: string;
  readonly offset: number;
  /** Null when the graph leaves it open: up to the end of the file. */
  readonly length: number | null;
}

/** One stored tensor. */
export interface GraphTensor {
  readonly name: string;
  /** ONNX's number of the element type: 1 float, 10 float16, 16 bfloat16, … */
  readonly elementType: number;
  readonly shape: readonly number[];
  /** Its bytes in this file; null when they lie elsewhere or are stored as single numbers. */
  readonly raw: Field | null;
  readonly external: ExternalPlace | null;
  readonly field: Field;
}

/** A named input, output or intermediate value. */
export interface GraphValue {
  readonly name: string;
  readonly elementType: number;
  /** A size, a symbol, or null where the graph says neither; empty without any shape. */
  readonly shape: readonly (number | string | null)[];
  readonly field: Field;
}

/** What an ONNX file holds, each part with its place in the file. */
export interface GraphFile {
  readonly source: RandomAccess;
  /** Version of ONNX's own operations. */
  readonly opset: number;
  readonly nodes: readonly GraphNode[];
  readonly tensors: readonly GraphTensor[];
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
  readonly values: readonly GraphValue[];
  /** Fields of the graph that are none of these, and fields of the file beside the graph. */
  readonly otherGraphFields: readonly Field[];
  readonly otherFields: readonly Field[];
}

/** Field numbers of onnx.proto. */
export const ONNX = {
  model: { graph: 7, opset: 8 },
  opset: { domain: 1, version: 2 },
  graph: { node: 1, tensor: 5, input: 11, output: 12, value: 13 },
  node: { input: 1, output: 2, name: 3, op: 4, attribute: 5, domain: 7 },
  attribute: { name: 1, int: 3, type: 20 },
  tensor: { dimension: 1, elementType: 2, name: 8, raw: 9, external: 13, location: 14 },
  entry: { key: 1, value: 2 },
  value: { name: 1, type: 2 },
  type: { tensor: 1 },
  tensorType: { elementType: 1, shape: 2 },
  shape: { dimension: 1 },
  dimension: { size: 1, name: 2 },
} as const;

/**
 * Reads the frame of an ONNX file; of the tensors only where they lie.
 *
 * @throws Error that says at which byte the file is broken or cut short
 */
export function readGraphFile(source: RandomAccess): GraphFile {
  const fields = [...readFields(source, 0, source.size)];
  const graph = fields.find((field) => field.number === ONNX.model.graph);
  if (graph?.kind !== "bytes") throw new Error("it holds no graph");
  const parts = [...readFields(source, graph.from, graph.to)];
  const known: readonly number[] = Object.values(ONNX.graph);
  const each = <T>(number: number, read: (source: RandomAccess, field: Field) => T) =>
    parts.filter((field) => field.number === number).map((field) => read(source, field));
  return {
    source,
    opset: readOpset(source, fields),
    nodes: each(ONNX.graph.node, readNode),
    tensors: each(ONNX.graph.tensor, readTensor),
    inputs: each(ONNX.graph.input, readValue),
    outputs: each(ONNX.graph.output, readValue),
    values: each(ONNX.graph.value, readValue),
    otherGraphFields: parts.filter((field) => !known.includes(field.number)),
    otherFields: fields.filter((field) => field !== graph),
  };
}

/** An attribute that holds a whole number; null when the node has none of that name. */
export function readIntAttribute(
  { source }: GraphFile,
  node: GraphNode,
  name: string,
): number | null {
  for (const field of readFields(source, node.field.from, node.field.to)) {
    if (field.number !== ONNX.node.attribute) continue;
    const parts = [...readFields(source, field.from, field.to)];
    const key = parts.find((part) => part.number === ONNX.attribute.name);
    if (key === undefined || readText(source, key) !== name) continue;
    return parts.find((part) => part.number === ONNX.attribute.int)?.value ?? null;
  }
  return null;
}

function readOpset(source: RandomAccess, fields: readonly Field[]): number {
  for (const field of fields.filter(({ number }) => number === ONNX.model.opset)) {
    const parts = [...readFields(source, field.from, field.to)];
    const domain = parts.find(({ number }) => number === ONNX.opset.domain);
    const name = domain === undefined ? "" : readText(source, domain);
    const version = parts.find(({ number }) => number === ONNX.opset.version);
    if ((name === "" || name === "ai.onnx") && version !== undefined) return version.value;
  }
  return 0;
}

function readNode(source: RandomAccess, field: Field): GraphNode {
  const parts = [...readFields(source, field.from, field.to)];
  const texts = (wanted: number) =>
    parts.filter(({ number }) => number === wanted).map((part) => readText(source, part));
  return {
    op: texts(ONNX.node.op)[0] ?? "",
    domain: texts(ONNX.node.domain)[0] ?? "",
    inputs: texts(ONNX.node.input),
    outputs: texts(ONNX.node.output),
    field,
  };
}

function readTensor(source: RandomAccess, field: Field): GraphTensor {
  const parts = [...readFields(source, field.from, field.to)];
  const find = (wanted: number) => parts.find(({ number }) => number === wanted);
  const name = find(ONNX.tensor.name);
  const entries = parts.filter(({ number }) => number === ONNX.tensor.external);
  return {
    name: name === undefined ? "" : readText(source, name),
    elementType: find(ONNX.tensor.elementType)?.value ?? 0,
    shape: parts.flatMap((part) => readDimensions(source, part)),
    raw: find(ONNX.tensor.raw) ?? null,
    external: entries.length === 0 ? null : readExternal(source, entries),
    field,
  };
}

/** A dimension stands in a field of its own or, packed, with others in one. */
function readDimensions(source: RandomAccess, part: Field): number[] {
  if (part.number !== ONNX.tensor.dimension) return [];
  if (part.kind === "varint") return [part.value];
  const dimensions: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of source.read(part.from, part.to)) {
    value += (byte & 127) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    dimensions.push(value);
    value = 0;
    scale = 1;
  }
  return dimensions;
}

function readExternal(source: RandomAccess, entries: readonly Field[]): ExternalPlace {
  const pairs = new Map<string, string>();
  for (const entry of entries) {
    const parts = [...readFields(source, entry.from, entry.to)];
    const text = (wanted: number) => {
      const part = parts.find(({ number }) => number === wanted);
      return part === undefined ? "" : readText(source, part);
    };
    pairs.set(text(ONNX.entry.key), text(ONNX.entry.value));
  }
  const length = pairs.get("length");
  return {
    location: pairs.get("location") ?? "",
    offset: Number(pairs.get("offset") ?? 0),
    length: length === undefined ? null : Number(length),
  };
}

function readValue(source: RandomAccess, field: Field): GraphValue {
  const parts = [...readFields(source, field.from, field.to)];
  const name = parts.find(({ number }) => number === ONNX.value.name);
  const type = parts.find(({ number }) => number === ONNX.value.type);
  const tensor = type && firstInside(source, type, ONNX.type.tensor);
  const element = tensor && firstInside(source, tensor, ONNX.tensorType.elementType);
  const shape = tensor && firstInside(source, tensor, ONNX.tensorType.shape);
  const dimensions = shape === undefined ? [] : [...readFields(source, shape.from, shape.to)];
  return {
    name: name === undefined ? "" : readText(source, name),
    elementType: element?.value ?? 0,
    shape: dimensions.map((dimension) => {
      const size = firstInside(source, dimension, ONNX.dimension.size);
      const symbol = firstInside(source, dimension, ONNX.dimension.name);
      return size?.value ?? (symbol === undefined ? null : readText(source, symbol));
    }),
    field,
  };
}

function firstInside(source: RandomAccess, message: Field, wanted: number): Field | undefined {
  return [...readFields(source, message.from, message.to)].find(({ number }) => number === wanted);
}
