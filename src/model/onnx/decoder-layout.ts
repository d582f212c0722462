import type { FolderFaults } from "./folder-faults.ts";
import { type GraphFile, type GraphTensor, readIntAttribute } from "./graph-file.ts";

/** One tensor of keys or values that a graph takes and hands back, longer by the new tokens. */
export interface CacheSlot {
  readonly past: string;
  readonly present: string;
  readonly heads: number;
  readonly headSize: number;
  /** The value inside the graph that holds the new tokens' part alone; null where none does. */
  readonly added: string | null;
}

/** Number formats that the runtime can hand over. */
export type FloatType = "float32" | "float16";

/** What a decoder graph takes and gives, beside the token ids. */
export interface DecoderLayout {
  readonly slots: readonly CacheSlot[];
  readonly cacheType: FloatType;
  readonly logitsType: FloatType;
  readonly hasAttentionMask: boolean;
  readonly hasPositionIds: boolean;
  /** Whether the graph itself can be told how many last positions to give logits for. */
  readonly hasLogitsToKeep: boolean;
  /**
   * `grouped`: com.microsoft.GroupQueryAttention, which packs each row's tokens to the left of the
   * cache and takes several new tokens on a cache only for one row. `plain`: ONNX's own operations,
   * masked by attention_mask. `other`: attention of another kind, of which nothing is assumed.
   */
  readonly attention: "grouped" | "plain" | "other";
  /** Width of the logits where the graph states it. */
  readonly vocabulary: number | null;
}

const FLOATS: Readonly<Record<number, FloatType>> = { 1: "float32", 10: "float16" };
const SIMPLE_INPUTS = ["input_ids", "attention_mask", "position_ids", "num_logits_to_keep"];
const PAST = /^past_key_values\.(\d+)\.(key|value)$/;

/** Whether rows of different lengths can be told apart by mask and positions. */
export function mixesLengths(layout: DecoderLayout): boolean {
  const { attention, hasAttentionMask, hasPositionIds } = layout;
  return hasAttentionMask && (attention === "grouped" || (attention === "plain" && hasPositionIds));
}

/**
 * Whether the cache can be kept outside of the graph: it gives the new tokens' part alone, and
 * room that is left free in the cache can be masked.
 */
export function givesAddedAlone(layout: DecoderLayout): boolean {
  const { attention, slots } = layout;
  return (
    mixesLengths(layout) && attention === "plain" && slots.every(({ added }) => added !== null)
  );
}

/** The layout of a graph; null, with faults noted, when it is no decoder with a cache. */
export function readLayout(
  graph: GraphFile,
  file: string,
  faults: FolderFaults,
): DecoderLayout | null {
  const names = graph.inputs.map(({ name }) => name);
  const stored = new Set(graph.tensors.map(({ name }) => name));
  const foreign = names.filter(
    (name) => !SIMPLE_INPUTS.includes(name) && !PAST.test(name) && !stored.has(name),
  );
  const logits = graph.outputs.find(({ name }) => name === "logits");
  const slots = graph.inputs.flatMap(({ name, shape }) => {
    const [, layer, part] = PAST.exec(name) ?? [];
    const [, heads, , headSize] = shape;
    if (layer === undefined || typeof heads !== "number" || typeof headSize !== "number") return [];
    const present = `present.${layer}.${part}`;
    return [{ past: name, present, heads, headSize, added: findAdded(graph, name, present) }];
  });
  const outputs = graph.outputs.map(({ name }) => name);
  const complaint =
    !names.includes("input_ids") || logits === undefined
      ? "takes no input_ids or gives no logits"
      : foreign.length > 0
        ? `takes inputs of a foreign architecture: ${foreign.join(", ")}`
        : slots.length === 0 || slots.some(({ present }) => !outputs.includes(present))
          ? "keeps no keys and values (past_key_values.N.key in, present.N.key out)"
          : null;
  if (complaint !== null || logits === undefined) {
    const fix = "export it for text generation with past";
    faults.add("invalid", file, `${complaint}; ${fix}`);
    return null;
  }
  const cacheType = FLOATS[graph.inputs.find(({ name }) => PAST.test(name))?.elementType ?? 0];
  const logitsType = FLOATS[logits.elementType];
  if (cacheType === undefined || logitsType === undefined) {
    faults.add("invalid", file, "keeps its cache or logits in a format other than fp32 and fp16");
    return null;
  }
  const width = logits.shape.at(-1);
  return {
    slots,
    cacheType,
    logitsType,
    hasAttentionMask: names.includes("attention_mask"),
    hasPositionIds: names.includes("position_ids"),
    hasLogitsToKeep: names.includes("num_logits_to_keep"),
    attention: attentionOf(graph),
    vocabulary: typeof width === "number" ? width : null,
  };
}

const TIME_AXES = [2, -2];

/** What a graph appends to a past value, where it does so by Concat alone. */
function findAdded(graph: GraphFile, past: string, present: string): string | null {
  const node = graph.nodes.find(({ outputs }) => outputs[0] === present);
  if (node?.op !== "Concat" || node.inputs.length !== 2 || node.inputs[0] !== past) return null;
  const axis = readIntAttribute(graph, node, "axis");
  return TIME_AXES.includes(axis ?? 0) ? (node.inputs[1] as string) : null;
}

const MICROSOFT = "com.microsoft";

function attentionOf({ nodes }: GraphFile): DecoderLayout["attention"] {
  const kinds = nodes.filter(({ op }) => op.endsWith("Attention"));
  if (kinds.length === 0) return "plain";
  const isGrouped = kinds.every(
    ({ op, domain }) => op === "GroupQueryAttention" && domain === MICROSOFT,
  );
  return isGrouped ? "grouped" : "other";
}

const WEIGHT_NAMES: Readonly<Record<number, string>> = {
  1: "fp32",
  2: "uint8",
  3: "int8",
  10: "fp16",
  16: "bf16",
};

/** Number format of most of the weights' values, such as `fp32`, `int8` or `4 bit`. */
export function weightFormat(graph: GraphFile): string {
  const packed = graph.nodes.find(({ op }) => op === "MatMulNBits");
  if (packed !== undefined) return `${readIntAttribute(graph, packed, "bits") ?? 4} bit`;
  const counts = new Map<number, number>();
  for (const tensor of graph.tensors) {
    counts.set(tensor.elementType, (counts.get(tensor.elementType) ?? 0) + valuesOf(tensor));
  }
  const [most] = [...counts].sort(([a, n], [b, m]) => m - n || a - b);
  return WEIGHT_NAMES[most?.[0] ?? 0] ?? "unknown";
}

function valuesOf({ shape }: GraphTensor): number {
  return shape.reduce((product, size) => product * size, 1);
}
