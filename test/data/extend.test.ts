import fc from "fast-check";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import type { Trace } from "../../src/core/trace.ts";
import { makeSplit } from "../../src/data/split.ts";
import { makeTrace } from "../support/traces.ts";
import { distinctTexts, familiesOf, memorySet } from "./support/sets.ts";

/** Families of three traces each, from number `from` on. */
function families(from: number, count: number): Trace[] {
  return Array.from({ length: count * 3 }, (_, k) => {
    const id = `t-${from + Math.floor(k / 3)}-${k % 3}`;
    const family = `f-${from + Math.floor(k / 3)}`;
    return makeTrace({ id, family, label: LABELS[k % 5] ?? "ACT", ...distinctTexts(id) });
  });
}

test.each(["family", "trace"] as const)(
  "by %s, no old row moves and the size holds",
  async (by) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3), fc.integer({ min: 1, max: 6 }), async (seed, added) => {
        const old = families(0, 10);
        const { split: before } = await makeSplit(memorySet(old), { test: 9, by, seed });
        const set = memorySet([...families(10, added), ...old]);
        const options = { test: 9 + 3, by, seed: seed + 1, extend: before };
        const { split: after, warnings } = await makeSplit(set, options);
        expect(after.test).toEqual(expect.arrayContaining([...before.test]));
        expect(after.train).toEqual(expect.arrayContaining([...before.train]));
        expect(after.test).toHaveLength(12);
        expect(after.policy.extends).toMatch(/^[0-9a-f]{64}$/);
        if (by === "family") expect(warnings).toEqual([]);
      }),
      { numRuns: 20 },
    );
  },
);

test("a new edge between the sides moves the test rows to train and names them with their tie", async () => {
  const rows = familiesOf({ a: "ACT ASK", b: "ACT ASK", c: "ACT ASK", d: "ACT ASK" });
  const { split: before } = await makeSplit(memorySet(rows), { test: 2, seed: 1 });
  const [tested, trained] = [before.test[0] ?? "", before.train[0] ?? ""];
  const bridge = makeTrace({ id: "new", links: [tested, trained], ...distinctTexts("new") });
  const set = memorySet([...rows, bridge, ...familiesOf({ e: "ACT ASK" })]);
  const { split: after, warnings } = await makeSplit(set, { test: 2, seed: 1, extend: before });
  expect(after.train).toEqual(
    expect.arrayContaining([...before.test, ...before.train.slice(0, 2)]),
  );
  for (const id of before.test) {
    expect(
      warnings.some((line) =>
        line.includes(`${id} moves from test to train: it is now tied to ${trained}`),
      ),
    ).toBe(true);
  }
});

test("new rows of an old family follow it", async () => {
  const rows = families(0, 4);
  const { split: before } = await makeSplit(memorySet(rows), { test: 3, seed: 1 });
  const family = before.test[0]?.replace(/^t-(\d).*/, "f-$1") ?? "";
  const late = makeTrace({ id: "late", family, ...distinctTexts("late") });
  const { split, warnings } = await makeSplit(memorySet([...rows, late]), {
    test: 3,
    seed: 1,
    extend: before,
  });
  expect(split.test).toContain("late");
  expect(warnings[0]).toBe(
    "test holds 4 traces, not 3: no choice that leaves the old rows in place gives 3",
  );
});

test("rows that went or changed are named", async () => {
  const rows = families(0, 4);
  const { split: before } = await makeSplit(memorySet(rows), { test: 3, seed: 1 });
  const set = memorySet(rows.slice(1));
  const changed = set.heads.map((head, k) =>
    k === 0 ? { ...head, content: "f".repeat(16) } : head,
  );
  const options = { test: 3, seed: 1, extend: before };
  const { warnings } = await makeSplit({ ...set, heads: changed }, options);
  expect(warnings).toContain("changed since the old split, side kept: t-0-1 (set.jsonl:1)");
  expect(warnings).toContain("in the old split but not in the set: t-0-0");
});

test.each([
  ["of another policy", (rows: Trace[]) => rows, "trace", /was made by trace, not by family/],
  ["of another set", () => families(50, 4), "family", /shares no trace/],
] as const)("a split %s is refused", async (_, of, by, message) => {
  const rows = families(0, 4);
  const { split } = await makeSplit(memorySet(of(rows)), { test: 3, seed: 1, by });
  const extended = makeSplit(memorySet(rows), { test: 3, seed: 1, extend: split });
  await expect(extended).rejects.toMatchObject({
    code: "mismatch",
    message: expect.stringMatching(message),
  });
});
