import fc from "fast-check";
import { expect, test } from "vitest";
import type { Trace } from "../../../src/core/trace.ts";
import { findNearDuplicates } from "../../../src/data/near/near-duplicates.ts";
import { collapsed, comparedText } from "../../../src/data/near/shingler.ts";
import type { ScenarioSet } from "../../../src/data/types.ts";
import { UnionFind } from "../../../src/data/union-find.ts";
import { makeTrace } from "../../support/traces.ts";

type Texts = Pick<ScenarioSet, "heads" | "readTrace">;

function setOf(traces: readonly Trace[]): Texts {
  const heads = traces.map(({ id, family, domain, label }, k) => {
    return { id, family, domain, label, content: "", file: "a.jsonl", line: k + 1 };
  });
  return { heads, readTrace: (index) => traces[index] as Trace };
}

/** Traces whose compared text is one word per character, in front of the fixed rest. */
function traceOf(id: string, words: string): Trace {
  return makeTrace({ id, task: [...words].join(" "), memory: [], observation: "." });
}

function shingles(trace: Trace): Set<string> {
  const words = collapsed(comparedText(trace)).split(" ");
  return new Set(words.slice(4).map((_, k) => words.slice(k, k + 5).join(" ")));
}

/** Jaccard of the 5-grams; 1 for equal texts. */
function jaccard(a: Trace, b: Trace): number {
  if (collapsed(comparedText(a)) === collapsed(comparedText(b))) return 1;
  const [x, y] = [shingles(a), shingles(b)];
  const shared = [...x].filter((each) => y.has(each)).length;
  return shared === 0 ? 0 : shared / (x.size + y.size - shared);
}

function groupsOf(size: number, families: readonly number[]): UnionFind {
  const groups = new UnionFind(size);
  families.forEach((family, k) => {
    groups.join(k, families.indexOf(family));
  });
  return groups;
}

const words = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 24 });
const rows = fc.array(fc.tuple(words, fc.nat(9)), { minLength: 1, maxLength: 24 });

test("components and figures are those of comparing every pair of texts", async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (list) => {
      const traces = list.map(([text], k) => traceOf(`t-${k}`, text));
      const groups = groupsOf(
        traces.length,
        list.map(([, family]) => family),
      );
      const edges = await findNearDuplicates(setOf(traces), groups);
      const [found, wanted] = [groups.copy(), groups.copy()];
      for (const { a, b, jaccard: value, equal } of edges) {
        found.join(a, b);
        expect(value).toBe(jaccard(traces[a] as Trace, traces[b] as Trace));
        expect(value).toBeGreaterThanOrEqual(0.5);
        expect(equal).toBe(
          collapsed(comparedText(traces[a] as Trace)) ===
            collapsed(comparedText(traces[b] as Trace)),
        );
      }
      for (const [a, x] of traces.entries()) {
        for (const [b, y] of traces.entries()) if (a < b && jaccard(x, y) >= 0.5) wanted.join(a, b);
      }
      expect(traces.map((_, k) => found.find(k))).toEqual(traces.map((_, k) => wanted.find(k)));
    }),
    { numRuns: 400 },
  );
});

test("every near-duplicate pair between groups is listed while clusters are small", async () => {
  const letters = fc.constantFrom("a", "b", "c", "d");
  const base = fc.string({ unit: letters, minLength: 8, maxLength: 24 });
  const edits = fc.array(fc.tuple(fc.nat(23), letters), { maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(base, edits, async (text, changes) => {
      const edited = changes.map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
      const distinct = [...new Set([text, ...edited])];
      const traces = distinct.map((text, k) => traceOf(`t-${k}`, text));
      const edges = await findNearDuplicates(setOf(traces), new UnionFind(traces.length));
      const wanted = traces.flatMap((x, a) =>
        traces.flatMap((y, b) => (a < b && jaccard(x, y) >= 0.5 ? [`${a} ${b}`] : [])),
      );
      expect(edges.map(({ a, b }) => `${a} ${b}`)).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});

/** `count` words that no other start shares. */
function plainWords(start: number, count: number): string {
  return Array.from({ length: count }, (_, k) => `w${start + k}`).join(" ");
}

function longTrace(id: string, task: string): Trace {
  return makeTrace({ id, task, memory: [], observation: "." });
}

test("long texts and large families are compared in full", async () => {
  const traces = Array.from({ length: 40 }, (_, k) =>
    longTrace(`t-${k}`, plainWords(k * 1000, 900)),
  );
  const near = longTrace("twin", `${plainWords(39_000, 650)} ${plainWords(90_000, 250)}`);
  const far = longTrace("cousin", `${plainWords(38_000, 550)} ${plainWords(95_000, 350)}`);
  const set = setOf([...traces, near, far]);
  const groups = groupsOf(
    set.heads.length,
    set.heads.map((_, k) => (k < 40 ? 0 : k)),
  );
  const edges = await findNearDuplicates(set, groups);
  expect(edges.map(({ a, b }) => [set.heads[a]?.id, set.heads[b]?.id])).toEqual([["t-39", "twin"]]);
  expect(edges[0]?.jaccard).toBe(jaccard(traces[39] as Trace, near));
});

test("one template in a thousand texts, and one text a thousand times, make few edges and one component each", async () => {
  const template = plainWords(0, 60);
  const filled = Array.from({ length: 1000 }, (_, k) =>
    longTrace(`t-${k}`, `${template} ${plainWords(1000 + 10 * k, 10)}`),
  );
  const copies = Array.from({ length: 1000 }, (_, k) =>
    longTrace(`c-${k}`, plainWords(50_000, 30)),
  );
  const set = setOf([...filled, ...copies]);
  const edges = await findNearDuplicates(set, new UnionFind(2000));
  expect(edges.filter(({ equal }) => equal)).toHaveLength(999);
  expect(edges.length).toBeLessThan(999 + 8 * 1000);
  const components = new UnionFind(2000);
  for (const { a, b } of edges) components.join(a, b);
  expect(new Set(set.heads.map((_, k) => components.find(k))).size).toBe(2);
});

test.each([
  [
    "case, spaces and line breaks",
    "Deploy THE\tbuild  of\n\nthe service now",
    "deploy the build of the service now ",
  ],
  [
    "composed and decomposed letters",
    "le caf\u00e9 est tr\u00e8s pr\u00eat",
    "le cafe\u0301 est tre\u0300s pre\u0302t",
  ],
  ["wide spaces", "one\u00a0two\u2003three\u3000four\ufefffive", "one two three four five"],
  ["fewer than five words", "x", "X"],
])("C05: %s make no difference", async (_, a, b) => {
  const [first, second] = [a, b].map((task, k) =>
    makeTrace({ id: `t-${k}`, task, memory: [], observation: "end" }),
  );
  const edges = await findNearDuplicates(
    setOf([first as Trace, second as Trace]),
    new UnionFind(2),
  );
  expect(edges).toEqual([{ a: 0, b: 1, jaccard: 1, equal: true }]);
});

test("scope and memory text count, the time of an entry, rationale and label do not", async () => {
  const entry = { scope: "project", text: "Builds go out at noon and never on Fridays." } as const;
  const base = makeTrace({ id: "a", memory: [entry] });
  const timed = { ...base, id: "b", memory: [{ ...entry, saved: "2026-03-02T09:30:00Z" }] };
  const relabelled: Trace = { ...timed, rationale: "Other.", label: "ASK" };
  const rescoped: Trace = { ...base, id: "c", memory: [{ ...entry, scope: "user" }] };
  const edges = await findNearDuplicates(setOf([base, relabelled, rescoped]), new UnionFind(3));
  expect(edges.map(({ a, b, equal }) => [a, b, equal])).toEqual([
    [0, 1, true],
    [0, 2, false],
  ]);
});

test("texts within a group have an edge only when they are equal", async () => {
  const texts = ["a b c d e f g h i j", "a b c d e f g h i k", "a b c d e f g h i j"];
  const set = setOf(texts.map((task, k) => longTrace(`t-${k}`, task)));
  const edges = await findNearDuplicates(set, groupsOf(3, [0, 0, 0]));
  expect(edges.map(({ a, b }) => [a, b])).toEqual([[0, 2]]);
});
