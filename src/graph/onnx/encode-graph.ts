import type { Shape } from "../shape.ts";
import { bytesField, floatField, joinBytes, messageField, numberField } from "./wire.ts";

/** ONNX's numbers of the element types that are used. */
export const ELEMENT_TYPES = {
  float32: 1,
  int64: 7,
  bool: 9,
  float16: 10,
  bfloat16: 16,
} as const;

/** One of {@link ELEMENT_TYPES}. */
export type ElementType = keyof typeof ELEMENT_TYPES;

/** A setting of an operation; a plain number stands for a whole one. */
export type Attribute = number | string | readonly number[] | { readonly float: number };

/** One operation. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** An input or output of a graph. */
export interface OnnxValue {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: Shape;
}

/** Bytes in a file beside the graph; `location` is relative to the folder given to the runtime. */
export interface StoredBytes {
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

/** A tensor that belongs to the graph: little-endian bytes, or where they are stored. */
export interface OnnxTensor {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly content: Uint8Array | StoredBytes;
}

/** Everything that an ONNX file says of a graph; nodes stand behind those they read from. */
export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly tensors: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

const IR_VERSION = 10;
const OPSET = 21;
const MICROSOFT = "com.microsoft";
/** Operations of onnxruntime's own set that are used; version 1 is its only one. */
const MICROSOFT_OPS: readonly string[] = ["FusedMatMul", "RotaryEmbedding"];
/** Values of AttributeProto.type and TensorProto.data_location. */
const KINDS = { float: 1, int: 2, string: 3, ints: 7 };
const IN_SIDE_FILE = 1;

/** The graph as an ONNX file. Field numbers are those of onnx.proto. Equal graphs give equal bytes. */
export function encodeGraph({ nodes, tensors, inputs, outputs }: OnnxGraph): Uint8Array {
  return joinBytes([
    numberField(1, IR_VERSION),
    bytesField(2, "steerbench"),
    messageField(7, [
      ...nodes.map((node) => messageField(1, nodeFields(node))),
      bytesField(2, "main"),
      ...tensors.map((tensor) => messageField(5, tensorFields(tensor))),
      ...inputs.map((value) => messageField(11, valueFields(value))),
      ...outputs.map((value) => messageField(12, valueFields(value))),
    ]),
    messageField(8, [bytesField(1, ""), numberField(2, OPSET)]),
    messageField(8, [bytesField(1, MICROSOFT), numberField(2, 1)]),
  ]);
}

function nodeFields({ op, inputs, outputs, attributes }: OnnxNode): Uint8Array[] {
  return [
    ...inputs.map((name) => bytesField(1, name)),
    ...outputs.map((name) => bytesField(2, name)),
    bytesField(3, outputs[0] ?? ""),
    bytesField(4, op),
    ...Object.entries(attributes).map(([name, value]) =>
      messageField(5, [bytesField(1, name), ...attributeFields(value)]),
    ),
    ...(MICROSOFT_OPS.includes(op) ? [bytesField(7, MICROSOFT)] : []),
  ];
}

function attributeFields(value: Attribute): Uint8Array[] {
  if (typeof value === "number") return [numberField(3, value), numberField(20, KINDS.int)];
  if (typeof value === "string") return [bytesField(4, value), numberField(20, KINDS.string)];
  if ("float" in value) return [floatField(2, value.float), numberField(20, KINDS.float)];
  return [...value.map((item) => numberField(8, item)), numberField(20, KINDS.ints)];
}

function tensorFields({ name, type, shape, content }: OnnxTensor): Uint8Array[] {
  const common = [
    ...shape.map((size) => numberField(1, size)),
    numberField(2, ELEMENT_TYPES[type]),
    bytesField(8, name),
  ];
  if (content instanceof Uint8Array) return [...common, bytesField(9, content)];
  const { location, offset, length } = content;
  const entries = Object.entries({ location, offset, length }).map(([key, value]) =>
    messageField(13, [bytesField(1, key), bytesField(2, String(value))]),
  );
  return [...common, ...entries, numberField(14, IN_SIDE_FILE)];
}

function valueFields({ name, type, shape }: OnnxValue): Uint8Array[] {
  const axes = shape.map((size) =>
    messageField(1, [typeof size === "number" ? numberField(1, size) : bytesField(2, size)]),
  );
  const tensorType = [numberField(1, ELEMENT_TYPES[type]), messageField(2, axes)];
  return [bytesField(1, name), messageField(2, [messageField(1, tensorType)])];
}
