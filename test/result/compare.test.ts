import { expect, test } from "vitest";
import { type CompareOptions, compareRuns } from "../../src/result/compare.ts";
import type { Run } from "../../src/result/run-read.ts";
import type { RunHeader, RunTrace } from "../../src/result/run-schema.ts";
import { DECISION, HASH, jsonAnswer, letterRow, makeRun, runTrace, textRow } from "./support.ts";

const ids = Array.from({ length: 10 }, (_, at) => `t-${String(at + 1).padStart(2, "0")}`);
const options: CompareOptions = { seed: "1", resamples: 10_000 };

/** An arm that answers these traces right (gold ASK), and the others with WAIT. */
function arm(
  path: string,
  right: readonly string[],
  { order = ids, traces = ids.map((id) => runTrace(id, "ASK")), ...changes }: ArmOptions = {},
): Run {
  const rows = order.map((id) => textRow(id, jsonAnswer(right.includes(id) ? "ASK" : "WAIT")));
  return makeRun(traces, rows, { path, ...changes });
}

interface ArmOptions extends Partial<Omit<RunHeader, "traces">> {
  readonly order?: readonly string[] | undefined;
  readonly traces?: readonly RunTrace[];
}

const few = ids.slice(0, 3);
const more = ["t-02", "t-06", "t-04", "t-01", "t-05", "t-03", "t-07"];
const shuffled = ["t-09", "t-02", "t-06", "t-04", "t-10", "t-01", "t-05", "t-08", "t-03", "t-07"];

test("E05: arms are joined by id, so shuffled rows give the same figures", () => {
  const straight = compareRuns([arm("a", few), arm("b", more)], options);
  for (const [first, second] of [
    [ids, shuffled],
    [shuffled, ids],
    [shuffled, shuffled],
  ]) {
    const runs = [arm("a", few, { order: first }), arm("b", more, { order: second })];
    expect(compareRuns(runs, options)).toEqual(straight);
  }
  const [pair] = straight.accuracy.pairs;
  expect(pair?.difference).toBeCloseTo(0.4, 12);
  expect(pair?.byTraces.low).toBeCloseTo(0.1, 9);
  expect(pair?.byTraces.high).toBeCloseTo(0.7, 9);
  expect(straight.shared).toEqual({ answers: 10, traces: 10, families: 10 });
  expect(straight.accuracy.rates.map(({ numerator }) => numerator)).toEqual([3, 7]);
});

test("the headline is the wider of the intervals over traces and over families", () => {
  const traces = ids.map((id, at) => runTrace(id, "ASK", { family: `f-${Math.floor(at / 5)}` }));
  const half = ids.slice(0, 5);
  const { accuracy } = compareRuns([arm("a", [], { traces }), arm("b", half, { traces })], options);
  const [pair] = accuracy.pairs;
  expect(accuracy.families).toBe(2);
  expect(pair).toMatchObject({ over: "families", low: 0, high: 1 });
  expect(pair?.byTraces.high).toBeLessThan(1);
  expect(pair?.p).toBe(pair?.byFamilies.p);
  expect(pair?.detectable).toBeGreaterThan(1);
});

test("E11: arms that never differ give an interval of no width, which is flagged", () => {
  const { accuracy } = compareRuns([arm("a", []), arm("b", [])], options);
  expect(accuracy.pairs[0]).toMatchObject({
    difference: 0,
    degenerate: true,
    p: 1,
    detectable: null,
  });
  expect(accuracy.rates[0]?.high).toBeGreaterThan(0.2);
});

test("p-values of all pairs are adjusted together", () => {
  const { accuracy } = compareRuns([arm("a", []), arm("b", few), arm("c", ids)], options);
  expect(accuracy.pairs.map(({ first, second }) => [first, second])).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  for (const { p, adjustedP } of accuracy.pairs) expect(adjustedP).toBeGreaterThanOrEqual(p ?? 1);
  const smallest = Math.min(...accuracy.pairs.map(({ p }) => p ?? 1));
  expect(accuracy.pairs.find(({ p }) => p === smallest)?.adjustedP).toBeCloseTo(3 * smallest, 12);
});

test("premature action is compared over traces whose gold label is not ACT", () => {
  const traces = ids.map((id, at) => runTrace(id, at < 4 ? "ACT" : "ASK"));
  const acting = makeRun(
    traces,
    ids.map((id) => textRow(id, jsonAnswer("ACT"))),
    { path: "acting" },
  );
  const { prematureAction } = compareRuns([arm("asking", ids, { traces }), acting], options);
  expect(prematureAction?.traces).toBe(6);
  expect(prematureAction?.rates.map(({ value }) => value)).toEqual([0, 1]);
  const onlyAct = ids.map((id) => runTrace(id, "ACT"));
  const runs = [arm("a", [], { traces: onlyAct }), arm("b", [], { traces: onlyAct })];
  expect(compareRuns(runs, options).prematureAction).toBeNull();
});

test("only answers that every arm has are compared; what is missing is said", () => {
  const partial = arm("partial", more, { order: shuffled.slice(0, 6) });
  const { shared, arms, warnings } = compareRuns([arm("a", few), partial], options);
  expect(shared.answers).toBe(6);
  expect(arms.map(({ leftOut }) => leftOut)).toEqual([4, 0]);
  expect(warnings).toEqual([expect.stringMatching(/^partial: 4 never asked.*--resume/)]);
  const none = arm("none", [], { order: [] });
  expect(() => compareRuns([arm("a", few), none], options)).toThrow(/share no answered trace/);
});

test("a trace with several samples counts once, with their mean", () => {
  const traces = [runTrace("a", "ASK"), runTrace("b", "ASK")];
  const sampled = (path: string, said: readonly ("ASK" | "WAIT")[]) => {
    const rows = said.map((label, at) => {
      return textRow(at < 2 ? "a" : "b", jsonAnswer(label), { sample: at % 2 });
    });
    return makeRun(traces, rows, { path, samples: 2 });
  };
  const runs = [
    sampled("x", ["ASK", "WAIT", "WAIT", "WAIT"]),
    sampled("y", ["ASK", "ASK", "ASK", "WAIT"]),
  ];
  const { accuracy, shared } = compareRuns(runs, options);
  expect(shared).toEqual({ answers: 4, traces: 2, families: 2 });
  expect(accuracy.pairs[0]).toMatchObject({ difference: 0.5, degenerate: true });
});

test("runs that do not belong together are refused, naming each field, unless told", () => {
  const changed = ids.map((id) => ({ ...runTrace(id, "ASK"), situation: HASH }));
  const other = arm("b", more, {
    traces: changed,
    set: { name: "test", digest: "other" },
    prompt: { version: "1", template: "f".repeat(64) },
  });
  const runs = [arm("a", few), other];
  expect(() => compareRuns(runs, options)).toThrow(
    expect.objectContaining({
      code: "mismatch",
      message: expect.stringMatching(
        /set\.digest: d in a, other in b.*prompt\.template:.*situation: .* t-01, .* and 5 more/s,
      ),
    }),
  );
  expect(compareRuns(runs, { ...options, allowMismatch: true }).warnings).toHaveLength(3);
});

test("two readouts have two prompts, and compare all the same", () => {
  const traces = ids.map((id) => runTrace(id, "ASK"));
  const decision = makeRun(
    traces,
    ids.map((id) => letterRow(id, [-1, -2, -3, -4, -5])),
    { path: "decision", ...DECISION, prompt: { version: "1", template: "f".repeat(64) } },
  );
  expect(compareRuns([arm("a", few), decision], options).warnings).toEqual([]);
});

test("one run alone is no comparison", () => {
  expect(() => compareRuns([arm("a", few)], options)).toThrow(/two runs or more/);
});
