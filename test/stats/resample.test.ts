import { expect, test } from "vitest";
import { clusterBlocks, resample, unitBlocks } from "../../src/stats/resample.ts";

const arms = [0, 1, 2].map((arm) => Float64Array.from({ length: 40 }, (_, i) => (i * 7 + arm) % 5));

test("E03: resamples computed in 1, 2, 4 or 97 ranges are those of the whole", () => {
  const blocks = unitBlocks(arms);
  const whole = resample(blocks, { seed: "s", from: 0, to: 97 });
  for (const workers of [1, 2, 4, 97]) {
    const ranges = Array.from({ length: workers }, (_, w) => ({
      seed: "s",
      from: Math.floor((w * 97) / workers),
      to: Math.floor(((w + 1) * 97) / workers),
    }));
    // Backwards, as if the last worker had finished first.
    const parts = ranges
      .toReversed()
      .map((range) => resample(blocks, range))
      .toReversed();
    whole.totals.forEach((totals, arm) => {
      expect(parts.flatMap((part) => [...(part.totals[arm] ?? [])])).toEqual([...totals]);
    });
  }
});

test("E13: a resample is as large as the data, drawn with replacement", () => {
  const marks = Array.from({ length: 10 }, (_, i) =>
    Float64Array.from({ length: 10 }, (_, j) => +(i === j)),
  );
  const { totals, sizes } = resample(unitBlocks(marks), { seed: 1, from: 0, to: 200 });
  const draws = Array.from({ length: 200 }, (_, i) => totals.map((times) => times[i] ?? 0));
  for (const times of draws) expect(times.reduce((a, b) => a + b, 0)).toBe(10);
  expect([...sizes]).toEqual(Array(200).fill(10));
  // Ten draws without a repeat come up in about one resample of 2,756.
  expect(draws.filter((times) => times.some((n) => n > 1)).length).toBeGreaterThan(195);
  // Each unit is drawn about once per resample.
  for (const times of totals) {
    expect(Math.abs(times.reduce((a, b) => a + b, 0) - 200)).toBeLessThan(60);
  }
});

test("all arms are added up over one and the same draw", () => {
  const [first] = arms;
  if (!first) throw new Error("no arm");
  const twice = first.map((value) => 2 * value);
  const { totals } = resample(unitBlocks([first, twice]), { seed: 1, from: 0, to: 50 });
  expect([...(totals[1] ?? [])]).toEqual([...(totals[0] ?? [])].map((total) => 2 * total));
});

test("clusters are drawn whole and in the order of their numbers", () => {
  const values = [Float64Array.of(1, 10, 100, 1000, 10_000)];
  const blocks = clusterBlocks(values, [7, -2, 7, 3, -2]);
  expect([...(blocks.totals[0] ?? [])]).toEqual([10_010, 1000, 101]);
  expect([...blocks.sizes]).toEqual([2, 1, 2]);
});

test("reports progress every hundred resamples and at the end", () => {
  const seen: string[] = [];
  const onProgress = (done: number, total: number) => seen.push(`${done}/${total}`);
  resample(unitBlocks(arms), { seed: 1, from: 10, to: 240, onProgress });
  expect(seen).toEqual(["100/230", "200/230", "230/230"]);
});
