import { LABELS, type Label } from "../../core/intervention.ts";
import { SCOPES } from "../../core/trace.ts";
import { type LabelFigures, shownWords } from "../text-figures.ts";
import type { AuditCheck } from "./check.ts";

/** Labels may differ by this much, of their mean, in traces, words and memory entries. */
export const MAX_SPREAD = 0.1;

type Figures = Readonly<Record<Label, LabelFigures>>;

/** Whether labels are equally frequent, equally long, and have memories of one size and kind. */
export function balanceChecks(figures: Figures): AuditCheck[] {
  return [
    spreadCheck("label balance", "traces", figures, ({ traces }) => traces),
    spreadCheck("length balance", "mean words shown", figures, (own) => mean(shownWords(own), own)),
    spreadCheck("memory balance", "mean memory entries", figures, (own) => mean(own.entries, own)),
    scopeCheck(figures),
  ];
}

function mean(sum: number, { traces }: LabelFigures): number {
  return traces === 0 ? 0 : sum / traces;
}

function spreadCheck(
  name: string,
  what: string,
  figures: Figures,
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

function scopeCheck(figures: Figures): AuditCheck {
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
