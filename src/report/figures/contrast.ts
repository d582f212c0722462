import { rateCells } from "../../result/table.ts";
import { type Arm, armLabel, rowLabel } from "../arms.ts";
import type { Figure } from "../figure.ts";
import { describeRates, drawIntervals, rateRow } from "../interval-rows.ts";
import { html } from "../markup.ts";
import { percentTick } from "../share-axes.ts";

/** How many families an arm gets right as a whole; null when no family has two answered traces. */
export function contrastFigure(arms: readonly Arm[]): Figure | null {
  const shown = arms.filter(({ metrics }) => metrics.contrastConsistency.denominator > 0);
  if (shown.length === 0) return null;
  const rows = shown.map((arm) => ({
    label: rowLabel(arm),
    ...rateRow(arm.metrics.contrastConsistency),
  }));
  return {
    name: "contrast",
    title: "Contrast consistency",
    lead: html`Variants of a family differ in the one fact that decides. The share of families, among those with two answered traces or more, in which every answer is right: what a policy that answers by topic cannot get.`,
    drawings: [
      drawIntervals({
        name: "contrast-consistency",
        title: "Share of families answered right throughout",
        description: describeRates(rows),
        rows,
        domain: [0, 1],
        tick: percentTick,
      }),
    ],
    numbers: {
      head: ["arm", "consistent families", "counts", "95% interval"],
      rows: shown.map((arm) => [armLabel(arm, 60), ...rateCells(arm.metrics.contrastConsistency)]),
    },
  };
}
