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
  expect(itemCost(long)).toBe(8193);
  expect(itemCost({ answer: "ACT", prompt: "x".repeat(1 << 20) })).toBeGreaterThan(8193);
  expect(itemCost({ answer: "short" })).toBeLessThan(1.1);
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

test("an answer of 64 KiB is a slice of its own, and no slice holds more than 16 KiB otherwise", async () => {
  const sizes = [100, 65_536, 100, 100, 65_536, 65_536, ...Array(200).fill(1024)];
  const slices: number[][] = [[]];
  let turn = 0;
  const items = sizes.map((size) => ({ answer: "x".repeat(size) }));
  const work = ({ answer }: { answer: string }) => {
    if (slices[turn] === undefined) slices[turn] = [];
    slices[turn]?.push(answer.length);
    // Runs before the next slice, whose turn was asked for later.
    if (slices[turn]?.length === 1) {
      const own = turn;
      setImmediate(() => {
        turn = own + 1;
      });
    }
  };
  await mapInSlices(items, { work, costOf: itemCost, isStopped: never });
  expect(slices.flat()).toEqual(sizes);
  expect(slices.slice(0, 5)).toEqual([[100], [65_536], [100, 100], [65_536], [65_536]]);
  for (const slice of slices) {
    const total = slice.reduce((sum, size) => sum + size, 0);
    expect(slice.length === 1 || total <= 16_384).toBe(true);
  }
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
