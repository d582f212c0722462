/** A smooth convex function: returns its value at `x` and fills `gradient`. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

/** When to stop. */
export interface LbfgsOptions {
  /** Largest entry of the gradient that counts as flat. */
  readonly tolerance: number;
  readonly maxIterations: number;
}

/** The lowest point found. */
export interface Minimum {
  readonly x: Float64Array;
  readonly value: number;
  readonly iterations: number;
  /** Whether the gradient became flat. */
  readonly converged: boolean;
}

interface Step {
  /** Change of x, and of the gradient. */
  readonly s: Float64Array;
  readonly y: Float64Array;
  /** Their inner product. */
  readonly sy: number;
}

const MEMORY = 10;
const SUFFICIENT_DECREASE = 1e-4;
const SMALLEST_STEP = 1e-12;

/**
 * Minimises by limited-memory BFGS with a backtracking line search (Nocedal and Wright 2006,
 * Numerical Optimization, algorithms 7.4, 7.5 and 3.1). Starts at zero; draws no random numbers.
 */
export function minimise(
  objective: Objective,
  dimensions: number,
  { tolerance, maxIterations }: LbfgsOptions,
): Minimum {
  let x = new Float64Array(dimensions);
  let gradient = new Float64Array(dimensions);
  let value = objective(x, gradient);
  const history: Step[] = [];
  let iterations = 0;
  while (largest(gradient) > tolerance && iterations < maxIterations) {
    iterations++;
    const direction = descent(gradient, history);
    const slope = dot(gradient, direction);
    // Without history the direction is the bare gradient, whose length says nothing about the step.
    let step = history.length === 0 ? 1 / Math.sqrt(-slope) : 1;
    let next = moved(x, direction, step);
    const nextGradient = new Float64Array(dimensions);
    let nextValue = objective(next, nextGradient);
    while (nextValue > value + SUFFICIENT_DECREASE * step * slope && step > SMALLEST_STEP) {
      step /= 2;
      next = moved(x, direction, step);
      nextValue = objective(next, nextGradient);
    }
    if (nextValue >= value) break; // The floats are exhausted: no step goes lower.
    remember(history, difference(next, x), difference(nextGradient, gradient));
    [x, gradient, value] = [next, nextGradient, nextValue];
  }
  return { x, value, iterations, converged: largest(gradient) <= tolerance };
}

/** The two-loop recursion: minus the gradient, shaped by the curvature of the last steps. */
function descent(gradient: Float64Array, history: readonly Step[]): Float64Array {
  const direction = new Float64Array(gradient);
  scale(direction, -1);
  const weights = history.map(() => 0);
  for (let i = history.length - 1; i >= 0; i--) {
    const { s, y, sy } = history[i] as Step;
    weights[i] = dot(s, direction) / sy;
    addScaled(direction, y, -(weights[i] as number));
  }
  const last = history.at(-1);
  // The last step's curvature stands for all directions not yet tried; it saves most iterations.
  if (last) scale(direction, last.sy / dot(last.y, last.y));
  history.forEach(({ s, y, sy }, i) => {
    addScaled(direction, s, (weights[i] as number) - dot(y, direction) / sy);
  });
  return direction;
}

function remember(history: Step[], s: Float64Array, y: Float64Array): void {
  const sy = dot(s, y);
  // Curvature must be positive for the directions to keep pointing down.
  if (sy <= 1e-12 * dot(y, y)) return;
  history.push({ s, y, sy });
  if (history.length > MEMORY) history.shift();
}

function moved(x: Float64Array, direction: Float64Array, step: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(x);
  addScaled(next, direction, step);
  return next;
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  const result = new Float64Array(a);
  addScaled(result, b, -1);
  return result;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function addScaled(target: Float64Array, other: Float64Array, factor: number): void {
  for (let i = 0; i < target.length; i++) {
    target[i] = (target[i] as number) + factor * (other[i] as number);
  }
}

function scale(target: Float64Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) * factor;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}
