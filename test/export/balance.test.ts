import fc from "fast-check";
import { expect, test } from "vitest";
import { LABELS, type Label } from "../../src/core/intervention.ts";
import { planBalanced } from "../../src/export/balance.ts";
import { DERANGEMENTS } from "../../src/export/flow.ts";
import type { Candidate } from "../../src/export/reasons.ts";

function candidate(position: number, family: number, label: Label, tempting: Label | null) {
  return { id: `t-${position}`, family: `f-${family}`, label, position, tempting };
}

/** Families of any make-up: one trace, several of one label, all five. */
const anyCandidates = fc
  .array(
    fc.array(
      fc.record({
        label: fc.constantFrom(...LABELS),
        tempting: fc.option(fc.constantFrom(...LABELS)),
      }),
      { minLength: 1, maxLength: 7 },
    ),
    { maxLength: 25 },
  )
  .map((families) => {
    let position = 0;
    return families.flatMap((traces, family) =>
      traces.map(({ label, tempting }): Candidate => {
        return candidate(position++, family, label, tempting === label ? null : tempting);
      }),
    );
  });

function wholeFamilies(count: number): Candidate[] {
  return Array.from({ length: count * 5 }, (_, k) => {
    const label = LABELS[k % 5] as Label;
    return candidate(k, Math.floor(k / 5), label, label === "ACT" ? "ASK" : "ACT");
  });
}

test("every label is rejected exactly as often as it is chosen, whatever the families", () => {
  fc.assert(
    fc.property(anyCandidates, (candidates) => {
      const { rejections, flow, withoutReason, unbalanced } = planBalanced(candidates);
      for (const label of LABELS) {
        const chosen = rejections.filter((each) => each.candidate.label === label).length;
        const rejected = rejections.filter((each) => each.label === label).length;
        expect(rejected).toBe(chosen);
        const row = LABELS.reduce((sum, other) => sum + flow[label][other], 0);
        expect(row).toBe(chosen);
        expect(flow[label][label]).toBe(0);
      }
      const all = [...rejections.map((each) => each.candidate), ...withoutReason, ...unbalanced];
      expect(all.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
        candidates.map(({ position }) => position),
      );
    }),
    { numRuns: 300 },
  );
});

test("a reason is a sibling's of that label, in the same family, or the tempting one", () => {
  fc.assert(
    fc.property(anyCandidates, (candidates) => {
      for (const { candidate, label, reason } of planBalanced(candidates).rejections) {
        if ("tempting" in reason) {
          expect(candidate.tempting).toBe(label);
          const siblings = candidates.filter(({ family }) => family === candidate.family);
          expect(siblings.map((sibling) => sibling.label)).not.toContain(label);
        } else {
          const source = candidates[reason.sibling];
          expect([source?.family, source?.label]).toEqual([candidate.family, label]);
          expect(source).not.toBe(candidate);
        }
      }
    }),
  );
});

test("in whole families every answer is chosen once and rejected once", () => {
  const candidates = wholeFamilies(24);
  const { rejections, unbalanced } = planBalanced(candidates);
  const rejected = rejections.map(({ reason }) => ("sibling" in reason ? reason.sibling : -1));
  expect(rejected.sort((a, b) => a - b)).toEqual(candidates.map(({ position }) => position));
  expect(unbalanced).toEqual([]);
});

test("the matrix is even to within one step, and tempting labels come more often than by chance", () => {
  const { flow, rejections } = planBalanced(wholeFamilies(24));
  const cells = LABELS.flatMap((a) => LABELS.filter((b) => a !== b).map((b) => flow[a][b]));
  expect(Math.max(...cells) - Math.min(...cells)).toBeLessThanOrEqual(2);
  const tempted = rejections.filter(({ candidate, label }) => candidate.tempting === label);
  expect(tempted.length).toBeGreaterThan(rejections.length / 4);
});

test("traces of different families are joined into cycles; what fits in none is left out", () => {
  const alone = (position: number, label: Label, tempting: Label | null) =>
    candidate(position, position, label, tempting);
  const { rejections, unbalanced, withoutReason } = planBalanced([
    alone(0, "ACT", "ASK"),
    alone(1, "WAIT", "ACT"),
    alone(2, "ASK", "WAIT"),
    alone(3, "FORGET", "ACT"),
    alone(4, "REMEMBER", null),
  ]);
  expect(rejections.map(({ candidate, label }) => `${candidate.label}>${label}`).sort()).toEqual([
    "ACT>ASK",
    "ASK>WAIT",
    "WAIT>ACT",
  ]);
  expect(unbalanced.map(({ label }) => label)).toEqual(["FORGET"]);
  expect(withoutReason.map(({ label }) => label)).toEqual(["REMEMBER"]);
});

test("there are 44 ways to deal five answers so that nobody keeps his own", () => {
  expect(DERANGEMENTS.map((list) => list.length)).toEqual([1, 0, 1, 2, 9, 44]);
});
