import fc from "fast-check";
import { expect, test } from "vitest";
import { inSeedOrder, readLink, toLink, writeLink } from "../../web/page/link.ts";
import { playTrace } from "./support.ts";

const TRACES = Array.from({ length: 20 }, (_, k) => playTrace({ id: `t-${k}` }));

test("an address without a fragment plays the held-out side in order 1", () => {
  expect(readLink("")).toEqual({ seed: "1", part: "test" });
  expect(readLink("#part=nonsense&seed=")).toEqual({ seed: "1", part: "test" });
  expect(readLink("#seed=blue&part=train")).toEqual({ seed: "blue", part: "train" });
});

test("whatever is typed as a seed comes back from the address it makes", () => {
  const typed = fc.string({ unit: "binary", maxLength: 100 });
  fc.assert(
    fc.property(typed, fc.constantFrom("test", "train", "other"), (seed, part) => {
      const link = toLink(seed, part);
      expect(readLink(writeLink(link))).toEqual(link);
    }),
  );
  expect(toLink(`${"x".repeat(63)}😀`, null).seed).toBe(`${"x".repeat(63)}\ufffd`);
});

test("a seed gives one order, whatever order the traces come in; another seed gives another", () => {
  const ids = (seed: string, traces = TRACES) => inSeedOrder(traces, seed).map(({ id }) => id);
  expect(ids("a", TRACES.toReversed())).toEqual(ids("a"));
  expect(ids("a").toSorted()).toEqual(TRACES.map(({ id }) => id).toSorted());
  expect(ids("b")).not.toEqual(ids("a"));
});
