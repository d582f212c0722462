import { expect, test } from "vitest";
import { randomStream } from "../../../src/core/random.ts";
import type { Trace } from "../../../src/core/trace.ts";
import { auditSet } from "../../../src/data/audit/audit.ts";
import { renderAudit } from "../../../src/data/audit/render.ts";
import { makeFamily } from "../../support/traces.ts";
import { memorySet } from "../support/sets.ts";

const WORDS = "amber basin cedar delta ember flint grove heron inlet jetty kiosk lever".split(" ");

/** Families whose texts are drawn at random: nothing in them depends on the label. */
function randomTraces(families: number): Trace[] {
  const random = randomStream("audit", "test");
  const text = (length: number) =>
    Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
  return Array.from({ length: families }, (_, n) => makeFamily(n))
    .flat()
    .map((trace) => ({
      ...trace,
      memory: (["user", "project", "session"] as const)
        .map((scope) => ({ scope, text: text(6), at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ scope, text: own }) => ({ scope, text: own })),
      observation: text(20),
    }));
}

const planted = (edit: (trace: Trace) => Partial<Trace>) =>
  randomTraces(40).map((trace) => ({ ...trace, ...edit(trace) }));

async function failedBaselines(traces: readonly Trace[]): Promise<string[]> {
  const { checks } = await auditSet(memorySet(traces));
  const isBaseline = /^(single features|words of the)/;
  return checks.filter(({ name, passed }) => !passed && isBaseline.test(name)).map((c) => c.name);
}

test("finds no shortcut where none was planted", async () => {
  expect(await failedBaselines(randomTraces(40))).toEqual([]);
});

test("finds a word that stands under one label only, and lists it first", async () => {
  const traces = planted(({ label, observation }) =>
    label === "WAIT" || label === "ASK" ? { observation: `${observation} ${label}-ish mark` } : {},
  );
  const audit = await auditSet(memorySet(traces));
  expect(audit.words[0]?.traces).toMatchObject({ ACT: 0, REMEMBER: 0, FORGET: 0 });
  expect(await failedBaselines(traces)).toEqual(
    expect.arrayContaining(["single features", "words of the observation"]),
  );
});

test("finds a shortcut in the order of words, where every label has the same words", async () => {
  const order = { ACT: "p q r", ASK: "q r p", WAIT: "r p q", REMEMBER: "q p r", FORGET: "r q p" };
  const traces = planted(({ label, memory }) => ({
    memory: memory.map((entry) => ({ ...entry, text: `${order[label]} ${entry.text}` })),
  }));
  expect(await failedBaselines(traces)).toContain("words of the memory");
});

test("finds a shortcut in the order of memory entries", async () => {
  const first = {
    ACT: "user",
    ASK: "user",
    WAIT: "project",
    REMEMBER: "session",
    FORGET: "session",
  };
  const traces = planted(({ label, memory }) => ({
    memory: memory.toSorted(
      (a, b) => Number(b.scope === first[label]) - Number(a.scope === first[label]),
    ),
  }));
  expect(await failedBaselines(traces)).toContain("single features");
});

test("finds labels that differ in length", async () => {
  const traces = planted(({ label, observation }) =>
    label === "FORGET" ? { observation: `${observation} ${observation}` } : {},
  );
  expect(await failedBaselines(traces)).toContain("single features");
});

test("permuting labels within families tells a planted word from chance", async () => {
  const clean = await auditSet(memorySet(randomTraces(20)), { permutations: 19 });
  const marked = randomTraces(20).map((trace) => ({
    ...trace,
    observation: `${trace.observation} ${trace.label === "ACT" ? "mark mark" : "none none"}`,
  }));
  const found = await auditSet(memorySet(marked), { permutations: 19 });
  const pOf = (audit: typeof clean, view: string) =>
    audit.permutations?.find((each) => each.view === view)?.p;
  expect(pOf(clean, "observation")).toBeGreaterThan(0.05);
  expect(pOf(found, "observation")).toBe(0.05);
  expect(renderAudit(found)).toContain("p = 0.0500");
});

test("says that too few families cannot be cross-validated", async () => {
  const { checks } = await auditSet(memorySet(randomTraces(4)));
  expect(checks.find(({ name }) => name === "shortcut baselines")?.detail).toContain(
    "not measured",
  );
});
