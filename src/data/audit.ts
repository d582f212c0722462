import { LABELS, type Label } from "../core/intervention.ts";
import { SCOPES } from "../core/trace.ts";
import type { AuditCheck } from "./audit-check.ts";
import { orderCheck } from "./audit-order.ts";
import type { OnProgress } from "./jsonl.ts";
import { findLeaks } from "./leaks.ts";
import type { NearEdge } from "./near/near-duplicates.ts";
import { nearEdges } from "./near/near-edges.ts";
import { countTexts, type LabelFigures, shownWords } from "./text-figures.ts";
import type { ScenarioSet, Split, TraceHead } from "./types.ts";

/** Labels may differ by this much, of their mean, in traces, words and memory entries. */
export const MAX_SPREAD = 0.1;

/**
 * Looks for what a model could lean on instead of judging: labels, lengths, memory sizes and
 * scopes that are out of balance, ids and orders that tell, and texts that stand in two families or on both sides.
 *
 * @param split with it, lineage across its sides is looked for as well
 */
export async function auditSet(
  set: ScenarioSet,
  { split, onProgress }: { readonly split?: Split; readonly onProgress?: OnProgress } = {},
): Promise<AuditCheck[]> {
  const figures = await countTexts(set);
  const edges = await nearEdges(set, { onProgress });
  return [
    spreadCheck("label balance", "traces", figures, ({ traces }) => traces),
    spreadCheck("length balance", "mean words shown", figures, (own) => mean(shownWords(own), own)),
    spreadCheck("memory balance", "mean memory entries", figures, (own) => mean(own.entries, own)),
    scopeCheck(figures),
    orderCheck(set),
    duplicateCheck(set, "equal texts", ({ equal }) => equal, edges),
    duplicateCheck(set, "near-duplicates across families", ({ equal }) => !equal, edges),
    ...(split ? [leakCheck(set, split, edges)] : []),
  ];
}

function mean(sum: number, { traces }: LabelFigures): number {
  return traces === 0 ? 0 : sum / traces;
}

function spreadCheck(
  name: string,
  what: string,
  figures: Readonly<Record<Label, LabelFigures>>,
  figureOf: (figures: LabelFigures) => number,
): AuditCheck {
  const values = LABELS.map((label) => figureOf(figures[label]));
  const average = values.reduce((a, b) => a + b, 0) / values.length;
  const spread = average === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / average;
  const list = LABELS.map((label, k) => `${label} ${Number((values[k] ?? 0).toFixed(1))}`);
  return {
    name,
    passed: spread <= MAX_SPREAD,
    detail: `${what}: ${list.join(", ")}; apart by ${(spread * 100).toFixed(1)}% of their mean, at most ${MAX_SPREAD * 100}% allowed`,
    findings: [],
  };
}

function scopeCheck(figures: Readonly<Record<Label, LabelFigures>>): AuditCheck {
  const findings = LABELS.flatMap((label) =>
    SCOPES.filter((scope) => figures[label].scopes[scope] === 0).map(
      (scope) => `no ${scope} entry under ${label}`,
    ),
  );
  const rows = LABELS.map((label) => {
    const { scopes } = figures[label];
    return `${label} ${SCOPES.map((scope) => scopes[scope]).join("/")}`;
  });
  return {
    name: "scopes under every label",
    passed: findings.length === 0,
    detail: `${SCOPES.join("/")} entries: ${rows.join(", ")}`,
    findings,
  };
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

/** The checks as text for people. */
export function renderAudit(checks: readonly AuditCheck[]): string {
  const lines = checks.flatMap(({ name, passed, detail, findings }) => [
    `${passed ? "passed" : "FAILED"}  ${name}: ${detail}`,
    ...findings.map((finding) => `        ${finding}`),
  ]);
  const failed = checks.filter(({ passed }) => !passed).length;
  const end =
    failed > 0
      ? `${failed} of ${checks.length} checks failed`
      : `all ${checks.length} checks passed: none of these shortcuts was found, which does not prove that there is none`;
  return `${[...lines, end].join("\n")}\n`;
}
