import { expect, test } from "vitest";
import { makeBatches, stepsOf } from "../../src/train/batches.ts";
import { initialState, updateWeights } from "../../src/train/optimizer.ts";

const SHAPES = new Map([
  ["matrix", [1, 2]],
  ["norm", [1]],
]);

function weightsOf(matrix: readonly number[], norm: number): Map<string, Float32Array> {
  return new Map([
    ["matrix", Float32Array.from(matrix)],
    ["norm", Float32Array.of(norm)],
  ]);
}

test("AdamW follows its formula, step by step", () => {
  const weights = weightsOf([1, -2], 0.5);
  const state = initialState(SHAPES, weights);
  const expected = [1, -2, 0.5];
  const [m, v] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (let t = 1; t <= 5; t++) {
    const gradient = [0.1 * t, -0.2, 0.05];
    const gradients = weightsOf(gradient.slice(0, 2), gradient[2] ?? 0);
    updateWeights(SHAPES, weights, gradients, state, { learningRate: 0.1, warmUp: 0 });
    gradient.forEach((g, i) => {
      m[i] = 0.9 * (m[i] ?? 0) + 0.1 * g;
      v[i] = 0.999 * (v[i] ?? 0) + 0.001 * g * g;
      const direction =
        (m[i] ?? 0) / (1 - 0.9 ** t) / (Math.sqrt((v[i] ?? 0) / (1 - 0.999 ** t)) + 1e-8);
      const decay = i < 2 ? 0.01 : 0;
      expected[i] = (1 - 0.1 * decay) * (expected[i] ?? 0) - 0.1 * direction;
    });
  }
  const found = [...(weights.get("matrix") ?? []), ...(weights.get("norm") ?? [])];
  found.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 5);
  });
  expect(state.updates).toBe(5);
});

test("the rate rises in equal steps, and long gradients are shortened", () => {
  const weights = weightsOf([0, 0], 0);
  const state = initialState(SHAPES, weights);
  const rates = [1, 2, 3, 4, 5].map(() => {
    const options = { learningRate: 0.4, warmUp: 4 };
    return updateWeights(SHAPES, weights, weightsOf([30, 40], 0), state, options);
  });
  expect(rates.map(({ learningRate }) => learningRate)).toEqual([
    0.1, 0.2, 0.30000000000000004, 0.4, 0.4,
  ]);
  expect(rates[0]?.gradientNorm).toBe(50);
  // The mean of gradients of length 1 after five steps: 1 - 0.9 ** 5.
  expect(state.first.get("matrix")?.[0]).toBeCloseTo(0.6 * (1 - 0.9 ** 5), 5);
});

test("a gradient that is no number is refused before anything is changed", () => {
  const weights = weightsOf([1, 2], 3);
  const state = initialState(SHAPES, weights);
  const gradients = weightsOf([0, Number.NaN], 0);
  expect(() =>
    updateWeights(SHAPES, weights, gradients, state, { learningRate: 1, warmUp: 0 }),
  ).toThrow("the gradient's length is NaN");
  expect(weights).toEqual(weightsOf([1, 2], 3));
  expect(state.updates).toBe(0);
});

test("each epoch takes every example once, in an order of its own, whatever is asked first", () => {
  const examples = Array.from({ length: 7 }, (_, k) => ({ id: `t-${k}` }));
  const idsOf = (batch: { id: string }[]) => batch.map(({ id }) => id);
  const batches = makeBatches(examples, 2, "1");
  const taken = Array.from({ length: 7 }, (_, k) => idsOf(batches(k + 1))).flat();
  const epochs = [taken.slice(0, 7), taken.slice(7)];
  for (const epoch of epochs) expect([...epoch].sort()).toEqual(idsOf(examples));
  expect(epochs[0]).not.toEqual(epochs[1]);
  expect(idsOf(makeBatches(examples.toReversed(), 2, "1")(6))).toEqual(taken.slice(10, 12));
  expect(idsOf(makeBatches(examples, 2, "2")(1))).not.toEqual(taken.slice(0, 2));
  expect([stepsOf(7, 2, 2), stepsOf(7, 0.01, 2), stepsOf(7, 1, 2)]).toEqual([7, 1, 4]);
});
