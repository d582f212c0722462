import { SteerError } from "../core/errors.ts";
import type { Feeds, TensorData } from "../graph/tensor-data.ts";
import { loadRuntime } from "../model/onnx/runtime.ts";

/** A graph in the runtime. */
export interface GraphSession {
  /**
   * Runs the graph; the calling thread stands still meanwhile.
   *
   * @throws SteerError `impossible` when memory does not suffice
   */
  run(feeds: Feeds): Promise<Record<string, TensorData>>;
  close(): Promise<void>;
}

/** How a graph is run. */
export interface SessionOptions {
  /** Inside each call; with another number, results differ by rounding. */
  readonly threads: number;
  /** Holds the weights that the graph reads from a file by itself. */
  readonly folder?: string;
  /**
   * Keep memory from call to call. Default false: rows of a training batch differ in length, and
   * what was kept for each came to 5.3 GB where 3.3 GB were needed, at no gain in time.
   */
  readonly keepsMemory?: boolean;
}

/**
 * Loads a graph.
 *
 * @throws SteerError `impossible` when memory does not suffice
 */
export async function openSession(
  graph: Uint8Array,
  { threads, folder = "", keepsMemory = false }: SessionOptions,
): Promise<GraphSession> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const session = await orOutOfMemory(() =>
    InferenceSession.create(graph, {
      intraOpNumThreads: threads,
      executionMode: "sequential",
      enableCpuMemArena: keepsMemory,
      graphOptimizationLevel: "all",
      logSeverityLevel: 4,
      extra: { session: { model_external_initializers_file_folder_path: folder } },
    }),
  );
  return {
    async run(feeds) {
      const tensors = Object.entries(feeds).map(([name, { type, data, dims }]) => {
        const tensor =
          type === "int64" ? new Tensor(type, data, dims) : new Tensor(type, data, dims);
        return [name, tensor] as const;
      });
      const outputs = await orOutOfMemory(() => session.run(Object.fromEntries(tensors)));
      return outputs as unknown as Record<string, TensorData>;
    },
    close: () => session.release(),
  };
}

/** The numbers of an output. */
export function numbersOf(
  outputs: Readonly<Record<string, TensorData>>,
  name: string,
): Float32Array {
  const data = outputs[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`the graph gave no numbers called ${name}`);
  return data;
}

/** How the runtime and Node say that memory has run out. */
const NO_MEMORY = /bad.alloc|failed to allocate|allocation failed|out of memory|invalid array/i;

/**
 * Runs work and says in our words when memory runs out.
 *
 * @throws SteerError `impossible` then; any other error as it is
 */
export async function orOutOfMemory<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof SteerError || !NO_MEMORY.test(reason)) throw error;
    const fix = "shorter answers (--max-tokens), fewer --samples, or a smaller model need less";
    throw new SteerError("impossible", `out of memory (${reason.trim()}); ${fix}`, {
      cause: error,
    });
  }
}
