import { SteerError } from "../../core/errors.ts";
import { emptyCache, type KeyValueCache } from "./cache.ts";
import { layOutTokens, type TokenInputs } from "./decoder-inputs.ts";
import { POSITIONS_INPUT } from "./detached-graph.ts";
import { type FloatArray, toFloat32 } from "./floats.ts";
import type { ModelGraph } from "./model-graph.ts";
import { loadRuntime, type Runtime } from "./runtime.ts";

/** What a session needs to know of a model; plain data, so that it can go to a worker. */
export interface SessionSource {
  readonly graph: ModelGraph;
  /** The graph's file, for messages. */
  readonly file: string;
  readonly vocabulary: number;
  /** Threads inside one call. */
  readonly threads: number;
}

/** One call of a graph. */
export interface DecoderCall {
  /** New token ids of each row; none may be empty. */
  readonly rows: readonly (readonly number[])[];
  /** What the rows follow; the same number of rows. */
  readonly cache: KeyValueCache;
  /** At how many last tokens of each row logits are wanted; 0 for none. */
  readonly last: number;
  /** `cache`: the cache with the new tokens; `added`: the new tokens' part alone. */
  readonly keep: "nothing" | "cache" | "added";
}

/** What a call gives. */
export interface DecoderResult {
  /** Logits over the vocabulary at the k-th of a row's wanted tokens. */
  logits(row: number, k: number): Float32Array;
  /** Longer by the new tokens; empty unless it was asked for. */
  readonly cache: KeyValueCache;
  /** Keys and values of the new tokens, one array for each slot; none unless they were asked for. */
  readonly added: readonly FloatArray[];
}

/** A graph with its weights loaded. */
export interface DecoderSession {
  readonly source: SessionSource;
  readonly empty: KeyValueCache;
  run(call: DecoderCall): Promise<DecoderResult>;
  release(): Promise<void>;
}

/**
 * Loads a graph and runs it on one token, so that what cannot work fails here.
 *
 * @throws SteerError `unreadable` when the runtime refuses the graph, `mismatch` when its logits
 * do not fit the vocabulary
 */
export async function openSession(source: SessionSource): Promise<DecoderSession> {
  const { graph, file, vocabulary, threads } = source;
  const runtime = await loadRuntime();
  const refused = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    return new SteerError("unreadable", `${file}: onnxruntime cannot run it: ${reason}`, {
      cause: error,
    });
  };
  const session = await runtime.InferenceSession.create(graph.bytes, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    extra: { session: { model_external_initializers_file_folder_path: graph.dataFolder } },
  }).catch((error: unknown) => {
    throw refused(error);
  });

  const empty = emptyCache(graph.layout, 1);
  const run = async (call: DecoderCall): Promise<DecoderResult> => {
    checkCall(call, vocabulary, graph);
    const tokens = layOutTokens(call.rows, call.cache, graph.layout.attention);
    const kept = keptOutputs(call.keep, graph);
    const wanted = call.last > 0 ? ["logits", ...kept] : kept;
    const outputs = await session.run(makeFeeds(runtime, source, call, tokens), wanted);
    const values = kept.map((name) => outputs[name]?.data as FloatArray);
    const length = call.cache.length + tokens.length;
    return {
      logits: readLogits(source, call, tokens.length, outputs["logits"]),
      cache: call.keep === "cache" ? { ...call.cache, length, slots: values } : empty,
      added: call.keep === "added" ? values : [],
    };
  };

  try {
    const { logits } = await run({ rows: [[0]], cache: empty, last: 1, keep: "cache" });
    logits(0, 0);
  } catch (error) {
    await session.release();
    throw error instanceof SteerError ? error : refused(error);
  }
  return { source, empty, run, release: () => session.release() };
}

/** What the runtime would take without a word, or answer with a message from deep inside. */
function checkCall(call: DecoderCall, vocabulary: number, { layout }: ModelGraph): void {
  for (const id of call.rows.flat()) {
    if (!Number.isInteger(id) || id < 0 || id >= vocabulary) {
      throw new SteerError("invalid", `token id ${id} is none of 0 to ${vocabulary - 1}`);
    }
  }
  const lengths = call.rows.map((row) => row.length);
  const [first = 0] = lengths;
  const isEven = lengths.every((length) => length === first);
  if (call.rows.length !== call.cache.rows || Math.min(...lengths) < Math.max(1, call.last)) {
    throw new Error(`${call.rows.length} rows of ${lengths.join(", ")} tokens do not fit the call`);
  }
  if (call.keep !== "nothing" && !isEven) throw new Error("a kept cache needs rows of one length");
  if (
    layout.attention === "grouped" &&
    call.cache.length > 0 &&
    call.rows.length > 1 &&
    first > 1
  ) {
    throw new Error("grouped attention takes several new tokens on a cache only for one row");
  }
}

function keptOutputs(keep: DecoderCall["keep"], { layout }: ModelGraph): string[] {
  switch (keep) {
    case "nothing":
      return [];
    case "cache":
      return layout.slots.map((slot) => slot.present);
    case "added":
      return layout.slots.map((slot) => slot.added ?? "");
  }
}

function makeFeeds(
  { Tensor }: Runtime,
  { graph: { layout, head } }: SessionSource,
  { rows, cache, last }: DecoderCall,
  { ids, positions, mask, length }: TokenInputs,
) {
  const count = rows.length;
  const whole = (data: BigInt64Array, shape: readonly number[]) => new Tensor("int64", data, shape);
  const wanted = Math.max(1, last);
  const feeds: Record<string, InstanceType<Runtime["Tensor"]>> = {
    input_ids: whole(ids, [count, length]),
  };
  if (layout.hasAttentionMask) {
    feeds["attention_mask"] = whole(mask, [count, cache.length + length]);
  }
  if (layout.hasPositionIds) feeds["position_ids"] = whole(positions, [count, length]);
  if (head === "num_logits_to_keep") {
    const kept = BigInt(keptLogits(rows, length, wanted));
    feeds["num_logits_to_keep"] = whole(BigInt64Array.of(kept), []);
  } else if (head === "rewritten") {
    const places = rows.flatMap((row) =>
      Array.from({ length: wanted }, (_, k) => BigInt(row.length - wanted + k)),
    );
    feeds[POSITIONS_INPUT] = whole(BigInt64Array.from(places), [count, wanted, 1]);
  }
  layout.slots.forEach(({ past, heads, headSize }, s) => {
    const shape = [count, heads, cache.length, headSize];
    feeds[past] = new Tensor(layout.cacheType, cache.slots[s] as Float32Array, shape);
  });
  return feeds;
}

/** Last positions of the padded rows that cover the wanted ones of every row. */
function keptLogits(rows: readonly (readonly number[])[], length: number, wanted: number): number {
  return Math.max(...rows.map((row) => length - row.length + wanted));
}

function readLogits(
  { graph: { head }, file, vocabulary }: SessionSource,
  { rows, last }: DecoderCall,
  length: number,
  output: { readonly data: unknown; readonly dims: readonly number[] } | undefined,
): DecoderResult["logits"] {
  if (last === 0 || output === undefined) {
    return () => {
      throw new Error("no logits were asked for");
    };
  }
  const kept =
    head === "rewritten"
      ? last
      : head === "num_logits_to_keep"
        ? keptLogits(rows, length, last)
        : length;
  const expected = [rows.length, kept, vocabulary];
  if (output.dims.join() !== expected.join()) {
    const message = `gives logits of shape ${output.dims.join("x")} instead of ${expected.join("x")}`;
    throw new SteerError("mismatch", `${file}: ${message}; its vocabulary is not config.json's`);
  }
  const values = output.data as FloatArray;
  return (row, k) => {
    const end = head === "rewritten" ? last : (rows[row]?.length ?? 0) - (length - kept);
    const at = (row * kept + end - last + k) * vocabulary;
    return toFloat32(values.subarray(at, at + vocabulary));
  };
}
