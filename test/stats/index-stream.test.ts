import { expect, test } from "vitest";
import { fillIndexes, resampleStates } from "../../src/stats/index-stream.ts";

const take = (seed: number, from: number, count: number) => {
  const states = resampleStates(seed, from);
  return Array.from({ length: count }, () => {
    const drawn = new Int32Array(100);
    fillIndexes(drawn, states.next().value);
    return drawn;
  });
};

/** Squared distance of counts from equal ones, over their expectation. */
const chiSquare = (counts: Float64Array, total: number) => {
  const expected = total / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
};

test("E03: a resample's draw depends on the seed and its index alone", () => {
  const whole = take(1, 0, 20);
  expect(take(1, 13, 7)).toEqual(whole.slice(13));
  expect(take(2, 0, 20)).not.toEqual(whole);
  expect(new Set(whole.map((drawn) => drawn.join())).size).toBe(20);
});

test("every position is as likely at every place, in neighbours and across resamples", () => {
  const resamples = take(1, 0, 20_000);
  const positions = new Float64Array(100);
  const firsts = new Float64Array(100);
  const neighbours = new Float64Array(100);
  const across = new Float64Array(100);
  const add = (counts: Float64Array, at: number) => {
    counts[at] = (counts[at] ?? 0) + 1;
  };
  resamples.forEach((drawn, i) => {
    for (const position of drawn) add(positions, position);
    const [first = 0, second = 0] = drawn;
    add(firsts, first);
    add(neighbours, (second - first + 100) % 100);
    add(across, ((resamples[i - 1]?.[0] ?? 0) - first + 100) % 100);
  });
  // 99 degrees of freedom: mean 99, and 0.1% lie above 148.
  expect(chiSquare(positions, 2_000_000)).toBeLessThan(148);
  for (const counts of [firsts, neighbours, across]) {
    expect(chiSquare(counts, 20_000)).toBeLessThan(148);
  }
  expect(Math.min(...positions)).toBeGreaterThan(0);
});

test("no positions, or one, are drawn without trouble", () => {
  const none = new Int32Array(0);
  fillIndexes(none, [1, 2, 3, 4]);
  const one = Int32Array.of(9);
  fillIndexes(one, [-1, -1, -1, -1]);
  expect([...one]).toEqual([0]);
});
