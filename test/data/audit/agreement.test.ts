import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LABELS, type Label } from "../../../src/core/intervention.ts";
import { auditSet } from "../../../src/data/audit/audit.ts";
import { renderAudit } from "../../../src/data/audit/render.ts";
import { type Review, readReviews } from "../../../src/data/audit/review.ts";
import { loadScenarioSet } from "../../../src/data/scenario-set.ts";
import { situationHash } from "../../../src/task/prompt.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { repositoryPath } from "../../support/fixtures.ts";
import { makeFamily } from "../../support/traces.ts";
import { memorySet } from "../support/sets.ts";

const traces = Array.from({ length: 4 }, (_, n) => makeFamily(n)).flat();

function review(at: number, changes: Partial<Review> = {}): Review {
  const trace = traces[at];
  if (!trace) throw new Error("no such trace");
  const content = situationHash(trace).slice(0, 16);
  return {
    trace: trace.id,
    content,
    label: trace.label,
    sure: 0.9,
    reader: "r1",
    round: 1,
    ...changes,
  };
}

async function agreementOf(reviews: readonly Review[]) {
  const { agreement } = await auditSet(memorySet(traces), { reviews });
  return agreement ?? [];
}

test("counts what equals gold, by round, label and domain", async () => {
  const wrong: Label = "WAIT";
  const all = traces.map((_, at) => review(at, at < 2 ? { label: wrong } : {}));
  const [first, second] = await agreementOf([...all, review(0, { round: 2, reader: "r2" })]);
  expect(first).toMatchObject({ round: 1, readers: 1, traces: 20, of: 20, agreed: 18, labels: 20 });
  expect(first?.byLabel.ACT).toMatchObject({ agreed: 3, labels: 4 });
  expect(first?.confusion.ACT.WAIT).toBe(1);
  // By hand: 18 of 20 agree, chance is (4*3 + 4*3 + 4*6 + 4*4 + 4*4) / 400 = 0.2.
  expect(first?.kappa).toBeCloseTo((0.9 - 0.2) / 0.8, 12);
  expect(second).toMatchObject({ round: 2, traces: 1, agreed: 1, kappa: null });
});

test("tells how many labels are of texts that have changed since", async () => {
  const [round] = await agreementOf([review(0), review(1, { content: "0".repeat(16) })]);
  expect(round?.olderTexts).toBe(1);
  const audit = await auditSet(memorySet(traces), {
    reviews: [review(1, { content: "0".repeat(16) })],
  });
  expect(renderAudit(audit)).toContain("1 labels are of texts that have changed since");
});

test("refuses labels of unknown traces, repeated labels and broken rows, all at once", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "review"));
  const rows = [review(0), review(0), review(1, { trace: "t-none" }), { ...review(2), sure: 2 }];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, "review", "a.jsonl"), text);
  const known = new Set(traces.map(({ id }) => id));
  const reading = readReviews(folder, known);
  await expect(reading).rejects.toThrow(
    /:2: r1 has labelled .*\n.*:3: trace: .*t-none\n.*:4: sure:/,
  );
});

test("a set without blind labels says where they belong", async () => {
  await expect(readReviews(temporaryFolder(), new Set())).rejects.toThrow(
    "blind labels belong there",
  );
});

test("the demo set's card quotes what its review folder holds", async () => {
  const path = repositoryPath("scenario-sets/demo");
  const set = await loadScenarioSet(path);
  const reviews = await readReviews(path, new Set(set.heads.map(({ id }) => id)));
  const { agreement } = await auditSet(set, { reviews });
  set.close();
  expect(agreement?.map(({ agreed, labels }) => [agreed, labels])).toEqual([
    [120, 120],
    [20, 20],
  ]);
  expect(LABELS.every((label) => agreement?.[0]?.byLabel[label].labels === 24)).toBe(true);
});
