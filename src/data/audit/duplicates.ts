import { findLeaks } from "../leaks.ts";
import type { NearEdge } from "../near/near-duplicates.ts";
import type { ScenarioSet, Split, TraceHead } from "../types.ts";
import type { AuditCheck } from "./check.ts";

/** Texts that stand in two families, and with a split what straddles its sides. */
export function duplicateChecks(
  set: ScenarioSet,
  edges: readonly NearEdge[],
  split: Split | undefined,
): AuditCheck[] {
  return [
    duplicateCheck(set, "equal texts", ({ equal }) => equal, edges),
    duplicateCheck(set, "near-duplicates across families", ({ equal }) => !equal, edges),
    ...(split ? [leakCheck(set, split, edges)] : []),
  ];
}

function duplicateCheck(
  { heads }: ScenarioSet,
  name: string,
  isKind: (edge: NearEdge) => boolean,
  edges: readonly NearEdge[],
): AuditCheck {
  const findings = edges.filter(isKind).map(({ a, b, jaccard }) => {
    const [first, second] = [heads[a] as TraceHead, heads[b] as TraceHead];
    const labels = first.label === second.label ? "" : `; labels ${first.label}, ${second.label}`;
    return `${placeOf(first)} and ${placeOf(second)}: word 5-gram Jaccard ${jaccard.toFixed(3)}${labels}`;
  });
  return {
    name,
    passed: findings.length === 0,
    detail: `${findings.length} pairs of traces`,
    findings,
  };
}

function leakCheck(set: ScenarioSet, split: Split, edges: readonly NearEdge[]): AuditCheck {
  const test = new Set(split.test);
  const inTest = Uint8Array.from(set.heads, ({ id }) => (test.has(id) ? 1 : 0));
  const findings = findLeaks(set, inTest, edges).map((leak) => {
    const [left, right] = [set.heads[leak.train] as TraceHead, set.heads[leak.test] as TraceHead];
    return `${leak.kind}: ${placeOf(left)} in train, ${placeOf(right)} in test`;
  });
  return {
    name: "lineage across the split",
    passed: findings.length === 0,
    detail: `${findings.length} pairs of traces`,
    findings,
  };
}

function placeOf({ file, line, id }: TraceHead): string {
  return `${file}:${line} (${id})`;
}
