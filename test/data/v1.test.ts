import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { DOMAINS } from "../../src/core/trace.ts";
import { auditSet } from "../../src/data/audit/audit.ts";
import { readReviews } from "../../src/data/audit/review.ts";
import { nearEdges } from "../../src/data/near/near-edges.ts";
import { loadScenarioSet } from "../../src/data/scenario-set.ts";
import { readSplit } from "../../src/data/split-file.ts";
import { requireVerified } from "../../src/data/verify.ts";
import { repositoryPath } from "../support/fixtures.ts";
import { memorySet } from "./support/sets.ts";

const PATH = repositoryPath("scenario-sets/v1");
const SPLIT = repositoryPath("splits/v1.json");

test("v1 holds 500 families of five, and splits into 2,000 and 500 traces by whole families", async () => {
  const set = await loadScenarioSet(PATH);
  expect(set.warnings).toEqual([]);
  const families = new Map<string, string[]>();
  for (const { family, label } of set.heads) {
    families.set(family, [...(families.get(family) ?? []), label]);
  }
  expect(families.size).toBe(500);
  for (const labels of families.values()) expect(labels.sort()).toEqual([...LABELS].sort());
  const { train, test: held } = await requireVerified(set, await readSplit(SPLIT));
  expect([train.length, held.length]).toEqual([2000, 500]);
  const share = (domain: string) =>
    held.filter((at) => set.heads[at]?.domain === domain).length / 5;
  for (const domain of DOMAINS) expect(Math.abs(share(domain) - 100 / 6)).toBeLessThan(1);
  set.close();
});

test("v1 passes its audit, and its card quotes the blind labels of the final texts", async () => {
  const set = await loadScenarioSet(PATH);
  const split = await readSplit(SPLIT);
  const reviews = await readReviews(PATH, new Set(set.heads.map(({ id }) => id)));
  const { checks, agreement } = await auditSet(set, { split, reviews });
  set.close();
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  expect(agreement?.map(({ agreed, labels }) => [agreed, labels])).toEqual([
    [2438, 2500],
    [2492, 2500],
  ]);
  expect(agreement?.[1]).toMatchObject({ olderTexts: 0, traces: 2500 });
}, 180_000);

test("v1 and the demo set share no family and no text", async () => {
  const sets = await Promise.all(
    [PATH, repositoryPath("scenario-sets/demo")].map((path) => loadScenarioSet(path)),
  );
  const traces = sets.flatMap((set) => set.heads.map((_, at) => set.readTrace(at)));
  for (const set of sets) set.close();
  expect(new Set(traces.map(({ family }) => family)).size).toBe(524);
  const familyOf = traces.map(({ family }) => family);
  const edges = await nearEdges(memorySet(traces), {});
  expect(edges.filter(({ a, b }) => familyOf[a] !== familyOf[b])).toEqual([]);
});
