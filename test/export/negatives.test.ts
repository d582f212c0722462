import fc from "fast-check";
import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import type { Trace } from "../../src/core/trace.ts";
import { cutOffAnswer, malformedAnswer } from "../../src/export/broken-answers.ts";
import { NEGATIVE_KINDS, type NegativeKind, planNegatives } from "../../src/export/negatives.ts";
import type { Candidate } from "../../src/export/reasons.ts";
import { resolvePair } from "../../src/export/resolve-pair.ts";
import { isDistinct } from "../../src/export/turn-rules.ts";
import { wordTest } from "../../src/export/word-test.ts";
import { parse } from "../../src/task/parse/parse.ts";
import { goldAnswer } from "../../src/task/prompt.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { makeTrace } from "../support/traces.ts";
import { makeFamilies } from "./support.ts";

function candidatesOf(traces: readonly Trace[]): Candidate[] {
  return traces.map(({ id, family, label, tempting }, position) => {
    return { id, family, label, position, tempting: tempting?.label ?? null };
  });
}

function resolved(traces: readonly Trace[], kinds: readonly NegativeKind[]) {
  const { pairs } = planNegatives(candidatesOf(traces), kinds);
  return pairs.map((pair) => {
    const trace = traces[pair.candidate.position] as Trace;
    const texts = resolvePair(pair, trace, (at) => traces[at] as Trace, SCHEMES.asymmetric);
    return { ...pair, trace, ...texts };
  });
}

const anyTrace = fc
  .record({
    id: fc.string({ minLength: 1 }),
    label: fc.constantFrom(...LABELS),
    rationale: fc.string({ unit: "binary", minLength: 1 }).filter((text) => text.trim() !== ""),
  })
  .map(makeTrace);

test("malformed answers are never read strictly, whatever the reason says", () => {
  const hostile = ["}", '"', '"}', "\\", "```", "</think>", "<think>", "</s>", '{"a":1}', "\ud83d"];
  fc.assert(
    fc.property(
      fc.oneof(
        anyTrace,
        fc.constantFrom(...hostile).map((rationale) => makeTrace({ rationale })),
      ),
      (trace) => {
        const answer = malformedAnswer(trace);
        expect(parse(answer).strict.label).toBeNull();
        expect(isDistinct(goldAnswer(trace.label, trace.rationale), answer)).toBe(true);
        expect(malformedAnswer(trace)).toBe(answer);
      },
    ),
    { numRuns: 500 },
  );
});

test("malformed answers come in many forms", () => {
  const forms = Array.from({ length: 300 }, (_, k) =>
    malformedAnswer(makeTrace({ id: `t-${k}`, rationale: "r" })),
  );
  expect(new Set(forms).size).toBe(10);
  expect(new Set(forms.map((form) => form.slice(0, 9))).size).toBeGreaterThan(4);
});

test("a cut-off answer is the gold answer up to somewhere inside its reason", () => {
  fc.assert(
    fc.property(anyTrace, (trace) => {
      const gold = goldAnswer(trace.label, trace.rationale);
      const cut = cutOffAnswer(trace);
      expect(gold.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThan(gold.length - 1);
      expect(cut).toContain(`{"intervention": "${trace.label}", "reason": "`);
      expect(parse(cut).strict.label).toBeNull();
    }),
  );
});

test("a worse answer carries the reason of a sibling with that label, word for word", () => {
  const traces = makeFamilies(6);
  for (const { trace, label, rejected, chosen } of resolved(traces, ["balanced"])) {
    const sibling = traces.find((each) => each.family === trace.family && each.label === label);
    expect(rejected).toBe(goldAnswer(label ?? "ACT", sibling?.rationale ?? ""));
    expect(chosen).toBe(goldAnswer(trace.label, trace.rationale));
  }
});

test("without a sibling the tempting reason serves, and without either the pair is skipped", () => {
  const tempting = { label: "ACT", rationale: "All seems done." } as const;
  const alone = makeTrace({ id: "t-1", label: "WAIT", tempting });
  const bare = makeTrace({ id: "t-2", label: "WAIT" });
  const [pair] = resolved([alone], ["premature"]);
  expect(pair?.rejected).toBe('{"intervention": "ACT", "reason": "All seems done."}');
  const { pairs, skips } = planNegatives(candidatesOf([bare]), ["premature", "confusion"]);
  expect(pairs).toEqual([]);
  expect(skips).toEqual([
    { traceId: "t-2", wanted: "premature", reason: "no_reason_text" },
    { traceId: "t-2", wanted: "confusion", reason: "no_reason_text" },
  ]);
});

test("each kind pairs the traces it is meant for, with the labels it is meant for", () => {
  const traces = makeFamilies(12);
  const flows = (kind: NegativeKind) =>
    new Set(resolved(traces, [kind]).map(({ trace, label }) => `${trace.label}>${label}`));
  expect(flows("premature")).toEqual(
    new Set(["ASK>ACT", "WAIT>ACT", "REMEMBER>ACT", "FORGET>ACT"]),
  );
  expect(flows("over_hold")).toEqual(new Set(["ACT>ASK"]));
  expect(flows("confusion")).toEqual(
    new Set(["ASK>WAIT", "WAIT>ASK", "REMEMBER>FORGET", "FORGET>REMEMBER"]),
  );
  for (const kind of ["malformed", "cut_off"] as const) {
    expect(resolved(traces, [kind])).toHaveLength(60);
    expect(resolved(traces, [kind]).every(({ label }) => label === null)).toBe(true);
  }
});

test("over-holds without a tempting holding label spread over all four", () => {
  const traces = makeFamilies(40).map(({ tempting: _, ...trace }) => trace);
  const labels = resolved(traces, ["over_hold"]).map(({ label }) => label);
  for (const label of LABELS.slice(1)) {
    expect(labels.filter((each) => each === label).length).toBeGreaterThan(3);
  }
});

test("the margin is what the scheme pays for one answer more than for the other", () => {
  const traces = makeFamilies(6);
  const margins = (kind: NegativeKind) =>
    new Set(resolved(traces, [kind]).map(({ margin }) => margin));
  expect(margins("premature")).toEqual(new Set([2]));
  expect(margins("over_hold")).toEqual(new Set([1.25]));
  expect(margins("confusion")).toEqual(new Set([1]));
  expect(margins("cut_off")).toEqual(new Set([1.5]));
});

test("D05: no kind makes two answers that are alike", () => {
  const traces = makeFamilies(10).map((trace) => ({ ...trace, rationale: "The same words." }));
  for (const { chosen, rejected } of NEGATIVE_KINDS.flatMap((kind) => resolved(traces, [kind]))) {
    expect(isDistinct(chosen, rejected)).toBe(true);
  }
});

test("words alone cannot tell balanced answers apart, and can tell one-sided ones", () => {
  const traces = makeFamilies(30);
  const accuracy = (kind: NegativeKind) =>
    wordTest(resolved(traces, [kind]).map((pair) => ({ family: pair.trace.family, ...pair })))
      ?.accuracy;
  expect(accuracy("balanced")).toBe(0.5);
  expect(accuracy("premature")).toBeGreaterThan(0.9);
  expect(wordTest([])).toBeNull();
});
