import { expect, test } from "vitest";
import { makeCard } from "../../src/data/card.ts";
import { renderCard } from "../../src/data/render-card.ts";
import { makeSplit } from "../../src/data/split.ts";
import { makeFamily, makeTrace } from "../support/traces.ts";
import { memorySet } from "./support/sets.ts";

const families = Array.from({ length: 12 }, (_, n) => makeFamily(n)).flat();

test("counts label by domain for the set and for each side", async () => {
  const set = memorySet(families);
  const { split } = await makeSplit(set, { test: 30, seed: 1 });
  const { parts } = await makeCard(set, split);
  expect(parts.map(({ part, traces, families: n }) => [part, traces, n])).toEqual([
    ["all", 60, 12],
    ["train", 30, 6],
    ["test", 30, 6],
  ]);
  expect(parts[0]?.counts.WAIT).toEqual({
    coding: 2,
    database: 2,
    finance: 2,
    calendar: 2,
    research: 2,
    "science-qa": 2,
  });
});

test("warns when a label is missing from test, the second fault of the seed's list", async () => {
  const set = memorySet(families);
  const test = families.filter(({ label }) => label !== "REMEMBER").slice(0, 8);
  const ids = new Set(test.map(({ id }) => id));
  const split = {
    train: families.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    test: [...ids],
  };
  const { warnings } = await makeCard(set, split as never);
  expect(warnings).toContain("REMEMBER is missing from test");
  expect(warnings).toContain("test has only 2 traces of ACT");
});

test("means are per trace, and a label without traces has none", async () => {
  const set = memorySet([
    makeTrace({ id: "a", task: "one two", memory: [], observation: "three" }),
    makeTrace({ id: "b", task: "one", memory: [{ scope: "user", text: "x y z" }], also: ["ASK"] }),
  ]);
  const card = await makeCard(set);
  expect(card.figures.ACT).toMatchObject({ traces: 2, entries: 1, also: 1 });
  expect(card.figures.ACT.words).toMatchObject({ task: 3, memory: 3, observation: 5 });
  const text = renderCard(card);
  expect(text).toContain("- warning: WAIT is missing from the set");
  expect(text).toMatch(/^\| ACT +\| +5\.5 \| +1\.5 \|/m);
  expect(text).toMatch(/^\| WAIT +\| +n\/a \|/m);
});
