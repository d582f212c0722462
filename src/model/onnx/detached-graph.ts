import { bytesField, messageField, numberField } from "../../graph/onnx/wire.ts";
import {
  type GraphFile,
  type GraphNode,
  type GraphTensor,
  type GraphValue,
  ONNX,
} from "./graph-file.ts";
import { findOutputHead, type OutputHead } from "./output-head.ts";
import { type Field, rawField, readFields } from "./wire.ts";

/**
 * The input that a rewritten graph adds: for each row the positions, counted within the tokens of
 * the call, whose logits are wanted. int64 of shape [rows, positions, 1].
 */
export const POSITIONS_INPUT = "steerbench.positions";

const SELECTED = "steerbench.selected";
/** GatherND knows batches from this version of ONNX on. */
const LEAST_OPSET = 12;
/** Smaller tensors stay in the graph, like constants of shapes and axes. */
const DETACH_FROM_BYTES = 1024;
const INT64 = 7;
const IN_SIDE_FILE = 1;

/** Why a graph keeps its head on all positions. */
export type WholeHeadReason = "unknown head" | "old opset" | "no logits";

/** A value of the graph with ONNX's number of its element type. */
export type GraphOutput = Pick<GraphValue, "name" | "elementType">;

/** What is known of a graph before it is rewritten. */
export interface HeadPlan {
  readonly head: OutputHead | null;
  readonly reason: WholeHeadReason | null;
}

/** Whether the head of a graph can run on chosen positions only. */
export function planHead(graph: GraphFile, logits: string): HeadPlan {
  if (!graph.outputs.some(({ name }) => name === logits))
    return { head: null, reason: "no logits" };
  if (graph.opset < LEAST_OPSET) return { head: null, reason: "old opset" };
  const head = findOutputHead(graph, logits);
  return { head, reason: head === null ? "unknown head" : null };
}

/**
 * The graph without its big tensors, which are read from the untouched files by offset: a few
 * hundred kB for a model of any size. With a head plan, the hidden states of the wanted positions
 * are picked in front of the output head, so that the largest product of the graph runs on one
 * position instead of hundreds.
 *
 * @param moreOutputs inner values to hand out as well
 * @param place the path, relative to the folder given to the runtime, of the graph file (null) or
 * of a side file by the graph's own name for it
 */
export function detachGraph(
  graph: GraphFile,
  head: OutputHead | null,
  moreOutputs: readonly GraphOutput[],
  place: (location: string | null) => string,
): Uint8Array {
  const { source } = graph;
  const stale = new Set(head?.downstream);
  const content = [
    ...graph.nodes.flatMap((node) =>
      node === head?.product ? pickPositions(graph, node) : [rawField(source, node.field)],
    ),
    ...graph.otherGraphFields.map((field) => rawField(source, field)),
    ...graph.tensors.map((tensor) => detachTensor(graph, tensor, place)),
    ...graph.inputs.map(({ field }) => rawField(source, field)),
    ...(head === null ? [] : [positionsInput()]),
    ...graph.outputs.map((value) =>
      stale.has(value.name) ? unshapedOutput(value) : rawField(source, value.field),
    ),
    ...moreOutputs.map((value) => unshapedOutput(value)),
    // Stored shapes of these values still say "one row for each position".
    ...graph.values
      .filter(({ name }) => !stale.has(name))
      .map(({ field }) => rawField(source, field)),
  ];
  return Buffer.concat([
    ...graph.otherFields.map((field) => rawField(source, field)),
    messageField(ONNX.model.graph, content),
  ]);
}

/** The product, reading the picked rows, behind a node that picks them. */
function pickPositions({ source }: GraphFile, product: GraphNode): Uint8Array[] {
  const { node, attribute } = ONNX;
  const intType = 2;
  const pick = messageField(ONNX.graph.node, [
    bytesField(node.input, product.inputs[0] ?? ""),
    bytesField(node.input, POSITIONS_INPUT),
    bytesField(node.output, SELECTED),
    bytesField(node.name, `${SELECTED}.node`),
    bytesField(node.op, "GatherND"),
    messageField(node.attribute, [
      bytesField(attribute.name, "batch_dims"),
      numberField(attribute.int, 1),
      numberField(attribute.type, intType),
    ]),
  ]);
  const parts = [...readFields(source, product.field.from, product.field.to)];
  const first = parts.find(({ number }) => number === node.input);
  const changed = parts.map((part) =>
    part === first ? bytesField(node.input, SELECTED) : rawField(source, part),
  );
  return [pick, messageField(ONNX.graph.node, changed)];
}

function detachTensor(
  { source }: GraphFile,
  tensor: GraphTensor,
  place: (location: string | null) => string,
): Uint8Array {
  const { raw, external, field } = tensor;
  const isBig = raw !== null && raw.to - raw.from >= DETACH_FROM_BYTES;
  if (external === null && !isBig) return rawField(source, field);
  const { raw: rawNumber, external: externalNumber, location } = ONNX.tensor;
  const replaced: readonly number[] = [rawNumber, externalNumber, location];
  const kept = [...readFields(source, field.from, field.to)].filter(
    ({ number }) => !replaced.includes(number),
  );
  const entries =
    external === null
      ? placeEntries(place(null), raw as Field)
      : { ...external, location: place(external.location) };
  return messageField(ONNX.graph.tensor, [
    ...kept.map((part) => rawField(source, part)),
    ...Object.entries(entries)
      .filter(([, value]) => value !== null)
      .map(([key, value]) =>
        messageField(externalNumber, [
          bytesField(ONNX.entry.key, key),
          bytesField(ONNX.entry.value, String(value)),
        ]),
      ),
    numberField(location, IN_SIDE_FILE),
  ]);
}

function placeEntries(location: string, { from, to }: Field) {
  return { location, offset: from, length: to - from };
}

function positionsInput(): Uint8Array {
  return valueField(ONNX.graph.input, POSITIONS_INPUT, INT64, ["rows", "positions", 1]);
}

/** An output whose shape is left to the runtime. */
function unshapedOutput({ name, elementType }: GraphOutput): Uint8Array {
  return valueField(ONNX.graph.output, name, elementType, null);
}

function valueField(
  number: number,
  name: string,
  elementType: number,
  dimensions: readonly (string | number)[] | null,
): Uint8Array {
  const { value, type, tensorType, shape, dimension } = ONNX;
  const shapeFields =
    dimensions === null
      ? []
      : [
          messageField(
            tensorType.shape,
            dimensions.map((each) =>
              messageField(shape.dimension, [
                typeof each === "number"
                  ? numberField(dimension.size, each)
                  : bytesField(dimension.name, each),
              ]),
            ),
          ),
        ];
  return messageField(number, [
    bytesField(value.name, name),
    messageField(value.type, [
      messageField(type.tensor, [numberField(tensorType.elementType, elementType), ...shapeFields]),
    ]),
  ]);
}
