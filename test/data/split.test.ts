import fc from "fast-check";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { randomStream } from "../../src/core/random.ts";
import { DOMAINS, type Trace } from "../../src/core/trace.ts";
import { componentsOf, familyGroups } from "../../src/data/lineage.ts";
import { makeSplit } from "../../src/data/split.ts";
import type { Split } from "../../src/data/types.ts";
import { makeTrace } from "../support/traces.ts";
import { distinctTexts, familiesOf, memorySet } from "./support/sets.ts";

const OPTIONS = { seed: 1, near: false } as const;

/** Up to seven families of up to four traces, with any labels and domains. */
const smallSets = fc
  .array(
    fc.array(fc.tuple(fc.constantFrom(...LABELS), fc.constantFrom(...DOMAINS)), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 2, maxLength: 7 },
  )
  .map((families) =>
    families.flatMap((rows, f) =>
      rows.map(([label, domain], k) =>
        makeTrace({ id: `t-${f}-${k}`, family: `f-${f}`, label, domain }),
      ),
    ),
  );

/** Sides that labels are missing from. */
function lostLabels(traces: readonly Trace[], test: ReadonlySet<string>): number {
  return LABELS.reduce((lost, label) => {
    const rows = traces.filter((trace) => trace.label === label);
    const tested = rows.filter(({ id }) => test.has(id)).length;
    if (rows.length === 0) return lost;
    return lost + (tested === 0 ? 1 : 0) + (tested === rows.length ? 1 : 0);
  }, 0);
}

/** The id sets of every choice of whole families that leaves neither side empty. */
function choices(traces: readonly Trace[]): Set<string>[] {
  const families = [...new Set(traces.map(({ family }) => family))];
  return Array.from({ length: 2 ** families.length - 2 }, (_, k) => {
    const chosen = new Set(families.filter((_family, f) => ((k + 1) >> f) & 1));
    return new Set(traces.filter(({ family }) => chosen.has(family)).map(({ id }) => id));
  });
}

test("no other choice of families comes nearer to the size or keeps more labels", async () => {
  await fc.assert(
    fc.asyncProperty(smallSets, fc.nat(), async (traces, pick) => {
      const requested = 1 + (pick % (traces.length - 1));
      const { split } = await makeSplit(memorySet(traces), { ...OPTIONS, test: requested });
      const all = choices(traces);
      const nearest = Math.min(...all.map(({ size }) => Math.abs(size - requested)));
      expect(Math.abs(split.test.length - requested)).toBe(nearest);
      const rivals = all.filter(({ size }) => size === split.test.length);
      const fewest = Math.min(...rivals.map((ids) => lostLabels(traces, ids)));
      expect(lostLabels(traces, new Set(split.test))).toBe(fewest);
    }),
    { numRuns: 300 },
  );
});

test("families, links and order: no family straddles, and shuffled rows give the same split", async () => {
  const linked = fc.tuple(smallSets, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(
      linked,
      fc.nat(),
      fc.infiniteStream(fc.nat()),
      async ([rows, links], pick, random) => {
        const traces = rows.map((trace, k) => {
          const own = links.filter(([from]) => from % rows.length === k);
          const ids = own
            .map(([, to]) => rows[to % rows.length]?.id ?? "")
            .filter((id) => id !== trace.id);
          return { ...trace, links: ids };
        });
        const set = memorySet(traces);
        const components = componentsOf(set.heads, familyGroups(set.heads));
        fc.pre(components.length > 1);
        const options = { ...OPTIONS, test: 1 + (pick % (traces.length - 1)) };
        const { split, warnings } = await makeSplit(set, options);
        const side = new Map(traces.map(({ id }) => [id, split.test.includes(id)]));
        for (const { id, family, links: tied } of traces) {
          expect(side.get(id)).toBe(side.get(`t-${family.slice(2)}-0`));
          for (const other of tied) expect(side.get(id)).toBe(side.get(other));
        }
        const shuffled = traces
          .map((trace) => ({ trace, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ trace }) => trace);
        expect(await makeSplit(memorySet(shuffled), options)).toEqual({ split, warnings });
      },
    ),
    { numRuns: 200 },
  );
});

test("C01: half of four families with three labels keeps all three labels on both sides", async () => {
  const rows = familiesOf({
    f1: "ASK ASK",
    f2: "ASK WAIT",
    f3: "WAIT FORGET",
    f4: "FORGET ASK",
  });
  for (let seed = 0; seed < 20; seed++) {
    const { split, warnings } = await makeSplit(memorySet(rows), { test: 0.5, seed });
    for (const part of ["train", "test"] as const) {
      const { labels } = split.counts[part];
      expect([labels.ASK, labels.WAIT, labels.FORGET].every((count) => count > 0)).toBe(true);
    }
    expect(warnings).toEqual([]);
  }
});

/** 500 families of five traces, one of each label, over six domains. */
function likeV1(): Trace[] {
  return Array.from({ length: 500 }, (_, f) => f).flatMap((f) =>
    LABELS.map((label) => {
      const id = `t-${f}-${label}`;
      const domain = DOMAINS[f % DOMAINS.length] ?? "coding";
      return makeTrace({ id, family: `f-${f}`, domain, label, ...distinctTexts(id) });
    }),
  );
}

test("500 families of five give exactly 100 test families, each domain within one of its share", async () => {
  const traces = likeV1();
  for (const seed of [1, "v1"]) {
    const { split, warnings } = await makeSplit(memorySet(traces), { test: 500, seed });
    expect(warnings).toEqual([]);
    expect(split.counts.test).toEqual({
      traces: 500,
      families: 100,
      labels: { ACT: 100, ASK: 100, WAIT: 100, REMEMBER: 100, FORGET: 100 },
    });
    const tested = traces.filter(({ id }) => split.test.includes(id));
    for (const domain of DOMAINS) {
      const count = (rows: readonly Trace[]) => rows.filter((row) => row.domain === domain).length;
      expect(Math.abs(count(tested) - count(traces) / 5)).toBeLessThan(5);
    }
  }
});

test("another seed gives another split of the same shape", async () => {
  const set = memorySet(likeV1());
  const [a, b] = await Promise.all([1, 2].map((seed) => makeSplit(set, { test: 500, seed })));
  expect(a?.split.test).not.toEqual(b?.split.test);
  expect(a?.split.counts).toEqual(b?.split.counts);
});

test("an unreachable size becomes the nearest one, with a warning that gives both numbers", async () => {
  const set = memorySet(
    familiesOf({ a: "ACT ACT ACT ASK", b: "ASK ACT ASK ASK", c: "ACT ASK ACT ASK" }),
  );
  const { split, warnings } = await makeSplit(set, { test: 3, seed: 1 });
  expect(split.test).toHaveLength(4);
  expect(warnings).toEqual(["test holds 4 traces, not 3: no choice of whole components gives 3"]);
});

test("a label that only one family has is missing from one side, with a warning", async () => {
  const set = memorySet(familiesOf({ a: "ACT ASK", b: "ACT ASK", c: "ACT ASK", d: "WAIT ASK" }));
  const { warnings } = await makeSplit(set, { test: 2, seed: 1 });
  expect(warnings).toEqual([
    expect.stringMatching(/^WAIT is missing from (test|train): no choice of 2 traces keeps more/),
  ]);
});

test.each([
  [
    "one family, share 0.2",
    { f: "ACT ASK WAIT ACT ASK WAIT ACT ASK WAIT ACT" },
    0.2,
    /tie all 10 traces/,
  ],
  ["every row asked for", { a: "ACT", b: "ASK" }, 2, /cannot put 2 of 2/],
  ["more rows than there are", { a: "ACT", b: "ASK" }, 30, /cannot put 30 of 2/],
  ["a share that rounds to nothing", { a: "ACT", b: "ASK" }, 0.1, /cannot put 0 of 2/],
  ["a single row", { a: "ACT" }, 1, /cannot put 1 of 1/],
] as const)("C15: %s cannot be split", async (_, families, share, message) => {
  const set = memorySet(familiesOf(families));
  const split = makeSplit(set, { test: share, seed: 1 });
  await expect(split).rejects.toMatchObject({
    code: "impossible",
    message: expect.stringMatching(message),
  });
});

test("C07: five equal families of one label, taken out one by one, are one each", async () => {
  const set = memorySet(familiesOf({ a: "ASK", b: "ASK", c: "ASK", d: "ASK", e: "ASK" }));
  const { split } = await makeSplit(set, { test: 1, seed: 1 });
  expect([split.test.length, split.train.length]).toEqual([1, 4]);
});

test("near-duplicates stay together unless that is switched off, which the split records", async () => {
  const rows = familiesOf({ a: "ACT", b: "ACT", c: "ASK", d: "ASK" });
  const twins = rows.map((row) => (row.family === "b" ? { ...row, ...distinctTexts("a-0") } : row));
  const sides = ({ test }: Split) => [test.includes("a-0"), test.includes("b-0")];
  for (let seed = 0; seed < 10; seed++) {
    const { split } = await makeSplit(memorySet(twins), { test: 2, seed });
    const [a, b] = sides(split);
    expect(a).toBe(b);
    expect(split.policy.near).toBe(true);
  }
  const { split } = await makeSplit(memorySet(twins), { test: 2, seed: 0, near: false });
  expect(sides(split).sort()).toEqual([false, true]);
  expect(split.policy.near).toBe(false);
});

test("families of many sizes and labels give every label, domain and cell its share, within two rows", async () => {
  const random = randomStream(5, "balance-test");
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const traces = Array.from({ length: 200 }, (_, f) => f).flatMap((f) => {
    const domain = pick(DOMAINS);
    return Array.from({ length: 1 + Math.floor(random() * 8) }, (_, k) =>
      makeTrace({ id: `t-${f}-${k}`, family: `f-${f}`, domain, label: pick(LABELS) }),
    );
  });
  const { split } = await makeSplit(memorySet(traces), { ...OPTIONS, test: 0.2 });
  const share = split.test.length / traces.length;
  const tested = new Set(split.test);
  const distance = (isKind: (trace: Trace) => boolean) => {
    const rows = traces.filter(isKind);
    return Math.abs(rows.filter(({ id }) => tested.has(id)).length - rows.length * share);
  };
  expect(split.test).toHaveLength(split.policy.requested);
  for (const label of LABELS) {
    expect(distance((trace) => trace.label === label)).toBeLessThan(2);
    for (const domain of DOMAINS) {
      expect(distance((trace) => trace.label === label && trace.domain === domain)).toBeLessThan(2);
    }
  }
  for (const domain of DOMAINS)
    expect(distance((trace) => trace.domain === domain)).toBeLessThan(2);
});
