import type { RandomStream } from "../../core/random.ts";

/**
 * The likeliest token; the lowest id among equals. -1 when a logit is NaN or none is above
 * -Infinity: then there is nothing to choose by.
 */
export function likeliestToken(logits: Float32Array): number {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const value = logits[id] as number;
    if (value > highest) {
      best = id;
      highest = value;
    } else if (Number.isNaN(value)) return -1;
  }
  return best;
}

/**
 * Draws a token from the softmax of logits / temperature, cut to the smallest set of likeliest
 * tokens that holds at least `topP` of the probability (nucleus sampling, Holtzman et al. 2020).
 * One number of the stream is used. -1 as for {@link likeliestToken}.
 *
 * @param temperature above 0
 * @param topP above 0, at most 1
 */
export function drawToken(
  logits: Float32Array,
  { temperature, topP }: { readonly temperature: number; readonly topP: number },
  random: RandomStream,
): number {
  const best = likeliestToken(logits);
  if (best < 0) return -1;
  const highest = logits[best] as number;
  const weights = Float64Array.from(logits, (value) => Math.exp((value - highest) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const ids = topP < 1 ? nucleus(weights, total, topP) : weights.keys();
  const kept = topP < 1 ? sumOf(weights, ids as number[]) : total;
  let rest = random() * kept;
  let chosen = best;
  for (const id of ids) {
    const weight = weights[id] as number;
    if (weight === 0) continue;
    chosen = id;
    rest -= weight;
    if (rest < 0) break;
  }
  return chosen;
}

/** Ids of the smallest set of likeliest tokens with the share `topP`, likeliest first. */
function nucleus(weights: Float64Array, total: number, topP: number): number[] {
  // All tokens below this weight together hold less than what may be left out.
  const floor = ((1 - topP) * total) / weights.length;
  const ids: number[] = [];
  for (let id = 0; id < weights.length; id++) if ((weights[id] as number) >= floor) ids.push(id);
  ids.sort((a, b) => (weights[b] as number) - (weights[a] as number) || a - b);
  let sum = 0;
  const count = ids.findIndex((id) => {
    sum += weights[id] as number;
    return sum >= topP * total;
  });
  return count < 0 ? ids : ids.slice(0, count + 1);
}

function sumOf(weights: Float64Array, ids: readonly number[]): number {
  return ids.reduce((sum, id) => sum + (weights[id] as number), 0);
}
