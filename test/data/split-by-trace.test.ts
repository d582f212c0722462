import fc from "fast-check";
import { expect, test } from "vitest";
import { LABELS, type Label } from "../../src/core/intervention.ts";
import { DOMAINS, type Trace } from "../../src/core/trace.ts";
import { makeSplit } from "../../src/data/split.ts";
import { makeTrace } from "../support/traces.ts";
import { distinctTexts, memorySet } from "./support/sets.ts";

function tracesOf(labels: readonly Label[]): Trace[] {
  return labels.map((label, k) => {
    const id = `t-${k}`;
    const domain = DOMAINS[k % DOMAINS.length] ?? "coding";
    return makeTrace({ id, domain, label, ...distinctTexts(id) });
  });
}

const OPTIONS = { by: "trace", seed: 1, near: false } as const;

test("the size is exact and every label has its share of test, to the row", async () => {
  const labels = fc.array(fc.constantFrom(...LABELS), { minLength: 40, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(labels, fc.integer({ min: 10, max: 30 }), async (list, requested) => {
      const traces = tracesOf(list);
      const { split } = await makeSplit(memorySet(traces), { ...OPTIONS, test: requested });
      expect(split.test).toHaveLength(requested);
      for (const label of LABELS) {
        const all = list.filter((each) => each === label).length;
        const share = (all * requested) / list.length;
        expect(Math.abs(split.counts.test.labels[label] - share)).toBeLessThan(1 + 1e-9);
      }
    }),
    { numRuns: 100 },
  );
});

test("no other choice of as many traces keeps more labels on both sides", async () => {
  const labels = fc.array(fc.constantFrom(...LABELS), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(labels, fc.nat(), async (list, pick) => {
      const requested = 1 + (pick % (list.length - 1));
      const { split } = await makeSplit(memorySet(tracesOf(list)), { ...OPTIONS, test: requested });
      const lost = (chosen: (k: number) => boolean) =>
        LABELS.reduce((sum, label) => {
          const sides = new Set(list.flatMap((each, k) => (each === label ? [chosen(k)] : [])));
          return sum + (sides.size === 1 ? 1 : 0);
        }, 0);
      const choices = Array.from({ length: 2 ** list.length }, (_, bits) => bits).filter(
        (bits) => list.filter((_, k) => (bits >> k) & 1).length === requested,
      );
      const fewest = Math.min(...choices.map((bits) => lost((k) => ((bits >> k) & 1) === 1)));
      expect(lost((k) => split.test.includes(`t-${k}`))).toBe(fewest);
    }),
    { numRuns: 300 },
  );
});

test("a small file whose labels have two traces each keeps every label in test", async () => {
  const set = memorySet(tracesOf([...LABELS, ...LABELS]));
  const { split, warnings } = await makeSplit(set, { ...OPTIONS, test: 5 });
  expect(Object.values(split.counts.test.labels)).toEqual([1, 1, 1, 1, 1]);
  expect(warnings).toEqual([]);
});

test("shuffled rows give the same split, another seed another one", async () => {
  const traces = tracesOf(Array.from({ length: 60 }, (_, k) => LABELS[k % 5] ?? "ACT"));
  const { split } = await makeSplit(memorySet(traces), { ...OPTIONS, test: 12 });
  const turned = [...traces.slice(17), ...traces.slice(0, 17)].reverse();
  expect((await makeSplit(memorySet(turned), { ...OPTIONS, test: 12 })).split).toEqual(split);
  const other = await makeSplit(memorySet(traces), { ...OPTIONS, seed: 2, test: 12 });
  expect(other.split.test).not.toEqual(split.test);
});

test("straddling families and equal texts are warnings, and the split records that nothing was kept", async () => {
  const traces = tracesOf(["ACT", "ACT", "ASK", "ASK"]).map((trace) => ({ ...trace, family: "f" }));
  const [first] = traces;
  const copies = traces.map((trace) => ({ ...trace, ...distinctTexts(first?.id ?? "") }));
  const { split, warnings } = await makeSplit(memorySet(copies), { test: 2, seed: 1, by: "trace" });
  expect(split.policy).toMatchObject({ by: "trace", near: false });
  expect(warnings[0]).toBe("1 families have traces on both sides");
  expect(warnings.slice(1)).not.toEqual([]);
  for (const warning of warnings.slice(1)) {
    expect(warning).toMatch(
      /^set.jsonl:\d: equal texts straddle the split: test holds t-\d, train holds t-\d \(set.jsonl:\d\)$/,
    );
  }
});
