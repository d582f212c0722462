import { SteerError } from "../core/errors.ts";
import type { Tensors } from "../graph/adapter/merge.ts";
import type { Shapes } from "../graph/decoder/parameters.ts";

/** How fast weights move. */
export interface OptimizerOptions {
  /** Reached after the warm-up and kept. */
  readonly learningRate: number;
  /** Updates over which the rate rises in equal steps. */
  readonly warmUp: number;
}

/** What the optimizer remembers: running means of gradients and of their squares. */
export interface OptimizerState {
  /** Updates made. */
  updates: number;
  readonly first: Tensors;
  readonly second: Tensors;
}

/** What one update did. */
export interface Update {
  /** Euclidean length over all gradients, before clipping. */
  readonly gradientNorm: number;
  readonly learningRate: number;
}

const BETA_1 = 0.9;
const BETA_2 = 0.999;
const EPSILON = 1e-8;
/** Of matrices only, as is usual: norms and biases are no weights that could grow out of use. */
const DECAY = 0.01;
/** Longer gradients are shortened to this length. */
const MOST_NORM = 1;

/** The state before the first update. */
export function initialState(shapes: Shapes, weights: Tensors): OptimizerState {
  const zeros = () =>
    new Map(
      [...shapes.keys()].map((name) => [name, new Float32Array(weights.get(name)?.length ?? 0)]),
    );
  return { updates: 0, first: zeros(), second: zeros() };
}

/**
 * One update of all weights, in place, by AdamW (Loshchilov & Hutter 2019, algorithm 2): gradients
 * are clipped by their common length (Pascanu et al. 2013), their means are corrected for having
 * begun at zero, and the decay acts on the weights directly.
 *
 * @throws SteerError `impossible`, with nothing changed, when a gradient is not finite
 */
export function updateWeights(
  shapes: Shapes,
  weights: Tensors,
  gradients: Tensors,
  state: OptimizerState,
  { learningRate, warmUp }: OptimizerOptions,
): Update {
  const gradientNorm = lengthOf(gradients);
  if (!Number.isFinite(gradientNorm)) {
    const message = `the gradient's length is ${gradientNorm}`;
    throw new SteerError("impossible", `${message}; train anew with a lower --learning-rate`);
  }
  state.updates++;
  const rate = learningRate * Math.min(1, state.updates / Math.max(1, warmUp));
  const scale = Math.min(1, MOST_NORM / (gradientNorm + 1e-6));
  const correction1 = 1 - BETA_1 ** state.updates;
  const correction2 = 1 - BETA_2 ** state.updates;
  for (const [name, shape] of shapes) {
    const [w, g, m, v] = [weights, gradients, state.first, state.second].map((all) =>
      tensorOf(all, name),
    ) as [Float32Array, Float32Array, Float32Array, Float32Array];
    const kept = 1 - rate * (shape.length > 1 ? DECAY : 0);
    for (let i = 0; i < w.length; i++) {
      const gradient = scale * (g[i] as number);
      const mean = BETA_1 * (m[i] as number) + (1 - BETA_1) * gradient;
      const square = BETA_2 * (v[i] as number) + (1 - BETA_2) * gradient * gradient;
      m[i] = mean;
      v[i] = square;
      const direction = mean / correction1 / (Math.sqrt(square / correction2) + EPSILON);
      w[i] = kept * (w[i] as number) - rate * direction;
    }
  }
  return { gradientNorm, learningRate: rate };
}

function lengthOf(gradients: Tensors): number {
  let sum = 0;
  for (const numbers of gradients.values()) {
    for (let i = 0; i < numbers.length; i++) sum += (numbers[i] as number) ** 2;
  }
  return Math.sqrt(sum);
}

function tensorOf(tensors: Tensors, name: string): Float32Array {
  const numbers = tensors.get(name);
  if (numbers === undefined) throw new Error(`${name} has no numbers`);
  return numbers;
}
