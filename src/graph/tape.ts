import { type GraphBuilder, makeBuilder, type Value } from "./graph-builder.ts";

/**
 * One input of a recorded operation, and the vector-Jacobian product with respect to it: given the
 * gradient of the result, it adds the operations that make the gradient of the input, of the
 * input's shape.
 */
export type Pullback = readonly [input: Value, product: (gradient: Value) => Value];

/** A graph that remembers how its values were made, so that it can add their gradients. */
export interface Tape extends GraphBuilder {
  /** Marks a value as made from these inputs; only tracked inputs are ever asked for gradients. */
  record(made: Value, pullbacks: readonly Pullback[]): Value;
  /**
   * Adds the gradients of the sum of seed × result with respect to these values.
   *
   * @param seed of the result's shape
   * @throws Error when the result does not depend on one of them
   */
  gradients(result: Value, seed: Value, wanted: readonly Value[]): Value[];
}

/** An empty graph with an empty tape. */
export function makeTape(): Tape {
  const builder = makeBuilder();
  const steps: { readonly made: Value; readonly pullbacks: readonly Pullback[] }[] = [];
  return {
    ...builder,
    record(made, pullbacks) {
      const tracked = pullbacks.filter(([input]) => input.tracked);
      if (tracked.length === 0) return made;
      const value = { ...made, tracked: true };
      steps.push({ made: value, pullbacks: tracked });
      return value;
    },
    gradients(result, seed, wanted) {
      const gradients = new Map<string, Value>([[result.name, seed]]);
      for (const { made, pullbacks } of steps.toReversed()) {
        const gradient = gradients.get(made.name);
        if (gradient === undefined) continue;
        for (const [input, product] of pullbacks) {
          const part = product(gradient);
          const sum = gradients.get(input.name);
          const total = sum === undefined ? part : builder.node("Add", [sum, part], input.shape);
          gradients.set(input.name, total);
        }
      }
      return wanted.map(({ name }) => {
        const gradient = gradients.get(name);
        if (gradient === undefined) throw new Error(`${result.name} does not depend on ${name}`);
        return gradient;
      });
    },
  };
}
