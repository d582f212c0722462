import { expect, test } from "vitest";
import type { Trace } from "../../../src/core/trace.ts";
import type { AuditCheck } from "../../../src/data/audit/check.ts";
import { phraseChecks } from "../../../src/data/audit/phrases.ts";
import { rationaleChecks } from "../../../src/data/audit/rationales.ts";
import { readTextRows } from "../../../src/data/audit/text-rows.ts";
import { makeTrace } from "../../support/traces.ts";
import { memorySet } from "../support/sets.ts";

async function rowsOf(traces: readonly Trace[]) {
  return readTextRows(memorySet(traces), traces.keys());
}

function finding(checks: readonly AuditCheck[], name: string): AuditCheck {
  const found = checks.find((check) => check.name === name);
  if (!found) throw new Error(`no check ${name}`);
  return found;
}

const spread = (count: number, observationOf: (n: number) => string) =>
  Array.from({ length: count }, (_, n) =>
    makeTrace({
      id: `t-${n}`,
      task: `Case ${"abcdefghijklmnopqrstuvwxyz".repeat(2).slice(n, n + 9)}`,
      memory: [],
      observation: observationOf(n),
    }),
  );

test("a frame is one sentence with other names, numbers and quotations", async () => {
  const names = ["Ana", "Bo", "Chidi", "Dara"];
  const text = (n: number) =>
    `At ${n}:30 the owner ${names[n]} wrote "go ${n}" and signed it for good.`;
  const four = phraseChecks(await rowsOf(spread(4, text)));
  expect(finding(four, "sentence frames").passed).toBe(false);
  expect(finding(four, "sentence frames").findings[0]).toContain("4 families: at 0 the owner");
  const three = phraseChecks(await rowsOf(spread(3, text)));
  expect(finding(three, "sentence frames").passed).toBe(true);
});

test("variants of one family may share all their sentences", async () => {
  const text = () => "The same eight words stand in every variant here.";
  const family = spread(9, text).map((trace) => ({ ...trace, family: "f-1" }));
  expect(finding(phraseChecks(await rowsOf(family)), "sentence frames").passed).toBe(true);
});

test("five words in a row may stand in 25 families, not in 26", async () => {
  const text = (n: number) => `see you at the usual place, ${"x".repeat(n + 1)}`;
  const most = phraseChecks(await rowsOf(spread(25, text)));
  expect(finding(most, "five-word sequences").passed).toBe(true);
  const more = phraseChecks(await rowsOf(spread(26, text)));
  expect(finding(more, "five-word sequences").passed).toBe(false);
});

test("a rationale must speak of its trace, in whatever form of the word", async () => {
  const adrift = makeTrace({ rationale: "Everything looks perfectly alright, somehow." });
  expect(
    finding(rationaleChecks(await rowsOf([adrift])), "rationales name what the trace shows"),
  ).toMatchObject({ passed: false, findings: [`${adrift.id}: ${adrift.rationale}`] });
  const near = makeTrace({ rationale: "The billing's deployment rests on greens." });
  const checks = rationaleChecks(await rowsOf([near]));
  expect(finding(checks, "rationales name what the trace shows").passed).toBe(true);
});

test("second labels are for few traces", async () => {
  const traces = spread(100, (n) => `word${n}`).map((trace, n) =>
    n < 3 ? { ...trace, also: ["ASK" as const] } : trace,
  );
  expect(finding(rationaleChecks(await rowsOf(traces)), "second labels").passed).toBe(true);
  const more = rationaleChecks(await rowsOf(traces.slice(0, 90)));
  expect(finding(more, "second labels").passed).toBe(false);
});
