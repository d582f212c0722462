/**
 * log of the sum of exp over all logits, in double precision. Any NaN gives NaN; so does a row of
 * -Infinity alone, which is no distribution.
 */
export function logSumExp(logits: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of logits) if (value > highest) highest = value;
  let sum = 0;
  for (const value of logits) sum += Math.exp(value - highest);
  return highest + Math.log(sum);
}

/** Natural-log probabilities of these tokens, normalised over the full vocabulary. */
export function logProbabilities(logits: Float32Array, ids: readonly number[]): number[] {
  const total = logSumExp(logits);
  return ids.map((id) => (logits[id] as number) - total);
}
