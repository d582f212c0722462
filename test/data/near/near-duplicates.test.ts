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
  const list = fc.array(words, { minLength: 1, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(list, async (texts) => {
      const distinct = [...new Set(texts)];
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
