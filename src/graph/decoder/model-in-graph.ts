import type { Value } from "../graph-builder.ts";
import type { ElementType, StoredBytes } from "../onnx/encode-graph.ts";
import type { RotaryTables } from "../primitives/rotary.ts";
import type { Tape } from "../tape.ts";
import type { DecoderConfig } from "./config.ts";
import { type LoraShape, loraShapes } from "./lora.ts";
import { parameterShapes, type Shapes } from "./parameters.ts";
import { addRotaryTables } from "./rotary-tables.ts";

/** A tensor's bytes in a file, and the number format in which they are stored. */
export interface StoredWeight extends StoredBytes {
  readonly type: Extract<ElementType, "float32" | "float16" | "bfloat16">;
}

/**
 * Where a graph takes weights from. `inputs`: they are handed over at each run, so that one copy in
 * memory serves several graphs and can change from run to run. Otherwise they are read from files
 * when a session is made, which lets the runtime prepare them for products of few rows.
 */
export type WeightSource = "inputs" | ((name: string) => StoredWeight);

/** A decoder whose weights are part of a graph. */
export interface ModelInGraph {
  readonly config: DecoderConfig;
  readonly lora: LoraShape | null;
  readonly tables: RotaryTables;
  /** @throws Error for a name that the model does not have */
  weight(name: string): Value;
}

/** What a graph is told about a model. */
export interface ModelOptions {
  readonly config: DecoderConfig;
  /** Null for the bare model. */
  readonly lora: LoraShape | null;
  /** Of the model's own weights and the adapter's. */
  readonly weights: WeightSource;
  readonly adapter: WeightSource;
  /** Which of them gradients are wanted for; those must be inputs. */
  readonly trained: "nothing" | "adapter" | "model";
}

/** Declares the weights of a model, and its adapter's behind them. */
export function addModel(t: Tape, options: ModelOptions): ModelInGraph {
  const { config, lora, trained } = options;
  const own = addWeights(t, parameterShapes(config), options.weights, trained === "model");
  const added = addWeights(t, adapterShapes(options), options.adapter, trained === "adapter");
  return {
    config,
    lora,
    tables: addRotaryTables(t, config),
    weight(name) {
      const value = own.get(name) ?? added.get(name);
      if (value === undefined) throw new Error(`the model has no tensor ${name}`);
      return value;
    },
  };
}

/** The adapter's tensors; none without one. */
export function adapterShapes({ config, lora }: Pick<ModelOptions, "config" | "lora">): Shapes {
  return lora === null ? new Map() : loraShapes(config, lora);
}

function addWeights(
  t: Tape,
  shapes: Shapes,
  source: WeightSource,
  tracked: boolean,
): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, shape] of shapes) {
    const value =
      source === "inputs"
        ? t.input(name, shape, { tracked })
        : addStored(t, name, shape, source(name));
    values.set(name, value);
  }
  return values;
}

/** The runtime widens half-precision weights once, when it makes a session. */
function addStored(
  t: Tape,
  name: string,
  shape: readonly number[],
  { type, location, offset, length }: StoredWeight,
): Value {
  const stored = t.tensor({ name, type, shape, content: { location, offset, length } });
  return type === "float32" ? stored : t.node("Cast", [stored], shape, { to: 1 });
}
