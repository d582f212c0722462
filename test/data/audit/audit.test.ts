import { expect, test } from "vitest";
import { orderByHash, sha256Hex } from "../../../src/core/hash.ts";
import type { Trace } from "../../../src/core/trace.ts";
import { auditSet } from "../../../src/data/audit/audit.ts";
import { renderAudit } from "../../../src/data/audit/render.ts";
import { loadScenarioSet } from "../../../src/data/scenario-set.ts";
import { readSplit } from "../../../src/data/split-file.ts";
import { repositoryPath } from "../../support/fixtures.ts";
import { makeFamily } from "../../support/traces.ts";
import { memorySet } from "../support/sets.ts";

const SCOPED = (["user", "project", "session"] as const).map((scope) => ({ scope, text: "a b" }));

function balanced(): Trace[] {
  const traces = Array.from({ length: 6 }, (_, n) => makeFamily(n, { memory: SCOPED })).flat();
  const opaque = traces.map((trace) => ({
    ...trace,
    id: `t-${sha256Hex(trace.id).slice(0, 8)}`,
    rationale: `The observation says so: ${trace.observation}`,
  }));
  return orderByHash(opaque, ({ id }) => id);
}

async function failed(traces: readonly Trace[]): Promise<string[]> {
  const { checks } = await auditSet(memorySet(traces));
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

test("passes a balanced set, and says that passing proves nothing", async () => {
  const audit = await auditSet(memorySet(balanced()));
  expect(audit.checks.filter(({ passed }) => !passed)).toEqual([]);
  expect(renderAudit(audit)).toContain("does not prove that there is none");
});

test("finds a label that is rarer, longer, fuller of memory or without a scope", async () => {
  const change = (edit: (trace: Trace) => Trace) =>
    balanced().map((trace) => (trace.label === "WAIT" ? edit(trace) : trace));
  expect(await failed(balanced().slice(1))).toContain("label balance");
  const longer = change((trace) => ({
    ...trace,
    observation: `${trace.observation} so it goes on and on`,
  }));
  expect(await failed(longer)).toContain("length balance");
  const fuller = change((trace) => ({
    ...trace,
    observation: trace.observation.split(" ").slice(0, -1).join(" "),
    memory: [...trace.memory, { scope: "user", text: "x" }],
  }));
  expect(await failed(fuller)).toContain("memory balance");
  const scopeless = change((trace) => ({
    ...trace,
    memory: trace.memory.map((entry) => ({ ...entry, scope: "user" })),
  }));
  expect(await failed(scopeless)).toContain("scopes under every label");
});

test("names both places of texts that stand in two families, and of lineage across a split", async () => {
  const traces = balanced();
  const [first] = traces;
  const sixth = traces.find(({ family }) => family !== first?.family);
  if (!first || !sixth) throw new Error("two families are needed");
  const copy = { ...sixth, task: first.task, memory: first.memory, observation: first.observation };
  const set = memorySet(traces.map((trace) => (trace === sixth ? copy : trace)));
  const split = { train: [first.id], test: [copy.id] } as never;
  const text = renderAudit(await auditSet(set, { split }));
  expect(text).toContain("FAILED  equal texts: 1 pairs");
  expect(text).toContain(
    `set.jsonl:1 (${first.id}) and set.jsonl:${traces.indexOf(sixth) + 1} (${copy.id})`,
  );
  expect(text).toContain("FAILED  lineage across the split");
});

test("finds ids that spell what they should not, and rows that are sorted or take turns", async () => {
  const rename = (name: (trace: Trace, k: number) => string) =>
    balanced().map((trace, k) => ({ ...trace, id: name(trace, k) }));
  expect(await failed(rename(({ label }, k) => `t-${label.toLowerCase()}-${k}`))).toContain(
    "ids and order",
  );
  expect(await failed(rename(({ family }, k) => `${family}/${k}`))).toContain("ids and order");
  const turns = Array.from({ length: 12 }, (_, n) => makeFamily(n, { memory: SCOPED })).flat();
  expect(await failed(turns)).toContain("ids and order");
  const sorted = turns.toSorted((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
  expect(await failed(sorted)).toContain("ids and order");
});

test("the demo set passes", async () => {
  const set = await loadScenarioSet(repositoryPath("scenario-sets/demo"));
  const split = await readSplit(repositoryPath("splits/demo.json"));
  const { checks } = await auditSet(set, { split });
  set.close();
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});
