import { SteerError } from "../core/errors.ts";
import type { BatchRow } from "../graph/batch.ts";
import type { TrainHeader } from "./header.ts";
import type { BatchScores, LogProbs } from "./log-probs.ts";
import { type OptimizerState, type Update, updateWeights } from "./optimizer.ts";
import type { Trainable } from "./trainable.ts";

/**
 * One step down the gradient of −Σ weight · log p over a batch.
 *
 * @throws SteerError `impossible`, with nothing changed, when the loss or its gradient is not finite
 */
export async function descend(
  logProbs: LogProbs,
  rows: readonly BatchRow[],
  trainable: Trainable,
  optimizer: OptimizerState,
  options: TrainHeader,
): Promise<BatchScores & Update> {
  const scores = await logProbs.of(rows);
  requireFinite(scores.loss);
  const { shapes, tensors } = trainable;
  return { ...scores, ...updateWeights(shapes, tensors, scores.gradients, optimizer, options) };
}

/** @throws SteerError `impossible` for a loss that is no number to go by */
export function requireFinite(loss: number): void {
  if (Number.isFinite(loss)) return;
  throw new SteerError(
    "impossible",
    `the loss is ${loss}; train anew with a lower --learning-rate`,
  );
}
