import { expect, test } from "vitest";
import { itemCost, mapInSlices } from "../../src/serve/slices.ts";

const never = () => false;

test("a large batch lets other work run in between, and keeps its order", async () => {
  const items = Array.from({ length: 1000 }, (_, k) => k);
  const turns: number[] = [];
  let isDone = false;
  const other = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns.push(1);
    }
  })();
  const results = await mapInSlices(items, {
    work: (k) => k * 2,
    costOf: () => 1,
    isStopped: never,
  });
  isDone = true;
  await other;
  expect(results).toEqual(items.map((k) => k * 2));
  expect(turns.length).toBeGreaterThanOrEqual(7);
});

test("long answers make shorter slices", async () => {
  const long = { answer: "x".repeat(1 << 20) };
  expect(itemCost(long)).toBe(1025);
  expect(itemCost({ answer: "short" })).toBeLessThan(1.01);
  expect(itemCost(null)).toBe(1);
  let turns = 0;
  const count = setInterval(() => {}, 1000);
  const work = () => {
    setImmediate(() => turns++);
  };
  await mapInSlices([long, long, long], { work, costOf: itemCost, isStopped: never });
  clearInterval(count);
  expect(turns).toBeGreaterThanOrEqual(2);
});

test("F09: a batch that nobody waits for any more is left", async () => {
  let worked = 0;
  const results = await mapInSlices(Array(1000).fill(0), {
    work: () => worked++,
    costOf: () => 1,
    isStopped: () => worked >= 256,
  });
  expect(results).toBeNull();
  expect(worked).toBe(256);
});
