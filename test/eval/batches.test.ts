import fc from "fast-check";
import { expect, test } from "vitest";
import { inBatches, tasksOf } from "../../src/eval/batches.ts";
import { makeFamily } from "../support/traces.ts";

const traces = Array.from({ length: 8 }, (_, number) => makeFamily(number)).flat();

test("batches hold every answer once, in order, of few traces and not too many", () => {
  const sizes = fc.record({
    count: fc.integer({ min: 0, max: traces.length }),
    samples: fc.integer({ min: 1, max: 300 }),
    workers: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(sizes, ({ count, samples, workers }) => {
      const tasks = tasksOf(traces.slice(0, count), samples);
      const batches = inBatches(tasks, workers);
      expect(batches.flat()).toEqual(tasks);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(128);
        const own = new Set(batch.map(({ trace }) => trace));
        expect(own.size).toBeLessThanOrEqual(Math.max(16, workers));
      }
    }),
    { numRuns: 30 },
  );
});

test("a batch has something to do for every worker", () => {
  const [first] = inBatches(tasksOf(traces, 1), 30);
  expect(first).toHaveLength(30);
});
