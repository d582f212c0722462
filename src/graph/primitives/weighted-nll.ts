import type { Value } from "../graph-builder.ts";
import type { Tape } from "../tape.ts";

/** A loss and what its log-probabilities say besides. */
export interface WeightedNll {
  /** −Σ w log p(target): a single number. */
  readonly loss: Value;
  /** log p(target) at each position: [P]. */
  readonly logp: Value;
  /** −Σ p log p over all choices at each position, in nats: [P]. */
  readonly entropy: Value;
}

/**
 * Weighted negative log-likelihood: every training arm is a choice of weights.
 *
 * dlogits = dloss · w · (softmax(logits) − one-hot of the target).
 *
 * @param logits [P, choices]
 * @param targets int64 [P], each below the number of choices
 * @param weights [P], of any sign
 */
export function weightedNll(t: Tape, logits: Value, targets: Value, weights: Value): WeightedNll {
  const [positions = 1] = logits.shape;
  const one = [positions, 1];
  const column = (value: Value) => t.node("Unsqueeze", [value, t.ints([-1])], one);
  const times = (a: Value, b: Value, shape = logits.shape) => t.node("Mul", [a, b], shape);
  const all = t.node("LogSoftmax", [logits], logits.shape, { axis: -1 });
  const p = t.node("Exp", [all], logits.shape);
  const target = column(targets);
  const weight = column(weights);
  const chosen = t.node("GatherElements", [all, target], one, { axis: -1 });
  const sum = t.node("ReduceSum", [times(chosen, weight, one)], [], { keepdims: 0 });
  const negatedEntropy = t.node("ReduceSum", [times(p, all), t.ints([-1])], [positions], {
    keepdims: 0,
  });
  const loss = t.record(t.node("Neg", [sum], []), [
    [
      logits,
      (dloss) => {
        const scaled = times(weight, dloss, one);
        const negated = t.node("Neg", [scaled], one);
        const inputs = [times(p, scaled), target, negated];
        return t.node("ScatterElements", inputs, logits.shape, { axis: -1, reduction: "add" });
      },
    ],
  ]);
  return {
    loss,
    logp: t.node("Squeeze", [chosen, t.ints([-1])], [positions]),
    entropy: t.node("Neg", [negatedEntropy], [positions]),
  };
}
