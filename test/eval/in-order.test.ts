import fc from "fast-check";
import { expect, test } from "vitest";
import { InOrder } from "../../src/eval/in-order.ts";

test("passes every place on once and in order, whatever order they come in and however often", () => {
  const places = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
  fc.assert(
    fc.property(places, places, (order, again) => {
      const passed: number[] = [];
      const store = new InOrder<number>((rows) => passed.push(...rows));
      for (const place of [...order.slice(0, 5), ...again]) store.put(place, [place * 10]);
      expect(passed).toEqual([0, 10, 20, 30, 40, 50, 60, 70]);
    }),
  );
});

test("a flush passes on what waits behind a gap, once and in order", () => {
  const passed: number[] = [];
  const store = new InOrder<number>((rows) => passed.push(...rows));
  for (const place of [0, 5, 3]) store.put(place, [place]);
  store.flush();
  store.flush();
  expect(passed).toEqual([0, 3, 5]);
});

test("passes a row on as soon as nothing before it is missing", () => {
  const passed: string[] = [];
  const store = new InOrder<string>((rows) => passed.push(rows.join("+")));
  store.put(1, ["b"]);
  expect(passed).toEqual([]);
  store.put(0, ["a", "a2"]);
  expect(passed).toEqual(["a+a2+b"]);
  store.putAll([
    [3, ["d"]],
    [2, ["c"]],
  ]);
  expect(passed).toEqual(["a+a2+b", "c+d"]);
});
