import type { Value } from "../graph-builder.ts";
import { add, addBias } from "../primitives/add.ts";
import { linear } from "../primitives/linear.ts";
import type { Tape } from "../tape.ts";
import { loraNames, loraScale } from "./lora.ts";
import type { ModelInGraph } from "./model-in-graph.ts";
import { isBiased, moduleName, type Projection } from "./parameters.ts";

/** One projection of a layer: x Wᵀ, plus its bias, plus its adapter's scaled (x Aᵀ) Bᵀ. */
export function project(
  t: Tape,
  model: ModelInGraph,
  layer: number,
  projection: Projection,
  x: Value,
): Value {
  const { config, lora, weight } = model;
  const module = moduleName(layer, projection);
  const bare = linear(t, x, weight(`${module}.weight`));
  const y = isBiased(config, projection) ? addBias(t, bare, weight(`${module}.bias`)) : bare;
  if (lora === null || !lora.targets.includes(projection)) return y;
  const { a, b } = loraNames(layer, projection);
  return add(t, y, linear(t, linear(t, x, weight(a)), weight(b), loraScale(lora)));
}
