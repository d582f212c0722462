import { attend, repeatMask } from "./decoder/attention.ts";
import { chooseTokens, finalNorm, hiddenStates, outputHead } from "./decoder/layers.ts";
import {
  adapterShapes,
  addModel,
  type ModelInGraph,
  type ModelOptions,
} from "./decoder/model-in-graph.ts";
import { headName, parameterShapes, type Shapes } from "./decoder/parameters.ts";
import type { Value } from "./graph-builder.ts";
import { gather } from "./primitives/gather.ts";
import { linear } from "./primitives/linear.ts";
import { weightedNll } from "./primitives/weighted-nll.ts";
import { makeTape, type Tape } from "./tape.ts";

/** What the loss is taken over. */
export type LossKind =
  /** Targets are token ids. */
  | "vocabulary"
  /** Targets are places in the input `letters`, a list of token ids; nothing else counts. */
  | "letters";

/** A graph with the names and sizes of what it takes and gives. */
export interface TrainingGraph {
  readonly bytes: Uint8Array;
  /** The tensors that have gradients, each under {@link gradientName}; none for `nothing`. */
  readonly trained: Shapes;
}

/** The output that holds the gradient of a weight; it has the weight's shape. */
export function gradientName(weight: string): string {
  return `gradient.${weight}`;
}

/**
 * Loss and gradients of a batch in one graph. All arms share it; they differ in the numbers fed.
 *
 * Inputs, with batch B, tokens T and chosen positions P open: what a `Batch` holds, for `letters`
 * the int64 list `letters`, and the weights whose source is `inputs`.
 * Outputs: `loss` = −Σ weights · log p(target), a single number; `logp` [P]; `entropy` [P] in nats;
 * for `letters` also `logits` [P, letters]; then the gradients.
 */
export function buildTrainingGraph(options: ModelOptions, kind: LossKind): TrainingGraph {
  const t = makeTape();
  const model = addModel(t, options);
  const features = addFeatures(t, model);
  const targets = t.input("targets", ["P"], { type: "int64" });
  const weights = t.input("weights", ["P"]);
  const logits =
    kind === "vocabulary" ? outputHead(t, model, features) : letterLogits(t, model, features);
  const { loss, logp, entropy } = weightedNll(t, logits, targets, weights);
  t.output("loss", loss);
  t.output("logp", logp);
  t.output("entropy", entropy);
  if (kind === "letters") t.output("logits", logits);

  const trained = trainedShapes(options);
  const names = [...trained.keys()];
  const gradients = t.gradients(loss, t.float(1), names.map(model.weight));
  names.forEach((name, i) => {
    t.output(gradientName(name), gradients[i] as Value);
  });
  return { bytes: t.encode(), trained };
}

/**
 * What the output head reads at chosen positions, `features` [P, hidden], for training a head
 * alone. Inputs as for {@link buildTrainingGraph} without targets and weights.
 */
export function buildFeaturesGraph(options: ModelOptions): Uint8Array {
  const t = makeTape();
  t.output("features", addFeatures(t, addModel(t, options)));
  return t.encode();
}

/** The tensors that these options train. */
export function trainedShapes(options: Pick<ModelOptions, "config" | "lora" | "trained">): Shapes {
  switch (options.trained) {
    case "nothing":
      return new Map();
    case "adapter":
      return adapterShapes(options);
    case "model":
      return parameterShapes(options.config);
  }
}

function addFeatures(t: Tape, model: ModelInGraph): Value {
  const ids = t.input("ids", ["B", "T"], { type: "int64" });
  const positions = t.input("positions", ["B", "T"], { type: "int64" });
  const mask = repeatMask(t, model.config, t.input("mask", ["B", 1, "T", "T"]));
  const selected = t.input("selected", ["P"], { type: "int64" });
  const hidden = hiddenStates(t, model, { ids, positions }, (_, parts) =>
    attend(t, model.config, parts, mask),
  );
  return finalNorm(t, model, chooseTokens(t, hidden, selected));
}

/** Only the head's rows of the letters, so that nothing is computed for the other tokens. */
function letterLogits(t: Tape, model: ModelInGraph, features: Value): Value {
  const letters = t.input("letters", ["K"], { type: "int64" });
  return linear(t, features, gather(t, model.weight(headName(model.config)), letters));
}
