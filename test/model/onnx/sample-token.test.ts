import fc from "fast-check";
import { expect, test } from "vitest";
import { randomStream } from "../../../src/core/random.ts";
import { drawToken, likeliestToken } from "../../../src/model/onnx/sample-token.ts";

const logits = fc
  .array(fc.integer({ min: -8, max: 8 }), { minLength: 1, maxLength: 30 })
  .map((values) => Float32Array.from(values));

test("greedy takes the likeliest token, the lowest id among equals", () => {
  expect(likeliestToken(Float32Array.of(1, 5, 3, 5))).toBe(1);
  expect(likeliestToken(Float32Array.of(Number.NEGATIVE_INFINITY, -3))).toBe(1);
});

test.each([
  [[1, Number.NaN, 3]],
  [[Number.NaN]],
  [[Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]],
])("there is no token to choose from %j", (values) => {
  const row = Float32Array.from(values);
  expect(likeliestToken(row)).toBe(-1);
  expect(drawToken(row, { temperature: 1, topP: 1 }, () => 0.5)).toBe(-1);
});

test("draws only from the smallest set of likeliest tokens that holds top-p", () => {
  const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const topP = fc.double({ min: 0.05, max: 1, noNaN: true });
  fc.assert(
    fc.property(logits, topP, fc.constantFrom(0.5, 1, 2), draw, (row, p, temperature, u) => {
      const weights = [...row].map((value) => Math.exp(value / temperature));
      const total = weights.reduce((a, b) => a + b, 0);
      const order = [...row.keys()].sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
      const before = (id: number) =>
        order.slice(0, order.indexOf(id)).reduce((sum, k) => sum + (weights[k] ?? 0), 0);
      const id = drawToken(row, { temperature, topP: p }, () => u);
      expect(before(id)).toBeLessThan(p * total + 1e-9 * total);
    }),
  );
});

test("draws each token as often as its probability says", () => {
  const row = Float32Array.from([0.5, 0.3, 0.2].map(Math.log));
  const count = (topP: number, temperature: number) => {
    const random = randomStream("7", "test");
    const counts = [0, 0, 0];
    for (let i = 0; i < 4000; i++) {
      const id = drawToken(row, { temperature, topP }, random);
      counts[id] = (counts[id] ?? 0) + 1 / 4000;
    }
    return counts;
  };
  const near = (found: readonly number[], wanted: readonly number[]) =>
    found.forEach((share, i) => {
      expect(Math.abs(share - (wanted[i] ?? 0))).toBeLessThan(0.03);
    });
  near(count(1, 1), [0.5, 0.3, 0.2]);
  near(count(0.75, 1), [0.625, 0.375, 0]);
  // Weights to the power of 1 / 0.5: 0.25, 0.09, 0.04.
  near(count(1, 0.5), [0.25 / 0.38, 0.09 / 0.38, 0.04 / 0.38]);
});

test("takes exactly one number of the stream for each token", () => {
  let taken = 0;
  const random = () => {
    taken++;
    return 0.999999;
  };
  for (const topP of [1, 0.9, 0.1])
    drawToken(Float32Array.of(1, 2, 3), { temperature: 1, topP }, random);
  expect(taken).toBe(3);
});
