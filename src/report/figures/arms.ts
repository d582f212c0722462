import type { Comparison } from "../../result/compare.ts";
import type { Contrast, PairContrast } from "../../result/contrast.ts";
import type { BestConstant } from "../../result/metrics.ts";
import { decimal, NOT_AVAILABLE, points, rateCells } from "../../result/table.ts";
import { type Arm, armLabel } from "../arms.ts";
import type { Drawing } from "../draw.ts";
import type { Figure } from "../figure.ts";
import { describeRates, drawIntervals, rateRow } from "../interval-rows.ts";
import { html, type Markup } from "../markup.ts";
import { percentTick } from "../share-axes.ts";

/** Every arm's accuracy beside what needs no model, and how far arms lie apart. */
export function armsFigure(arms: readonly Arm[], comparison: Comparison | null): Figure {
  const floors = floorsOf(arms);
  const { accuracy = null, prematureAction = null } = comparison ?? {};
  return {
    name: "arms",
    title: "Arms, with intervals and differences",
    lead: html`Accuracy with its Wilson 95% interval. Hollow points need no model: the best constant label (dashed) and baselines${
      arms.some(({ isWords }) => isWords)
        ? ""
        : "; the bag of words, baseline:words, is not among these runs"
    }. ${comparison && explain(arms, comparison)}`,
    drawings: [
      drawAccuracies(arms, floors),
      ...(accuracy ? [drawDifferences(arms, "accuracy", accuracy)] : []),
      ...(prematureAction ? [drawDifferences(arms, "premature-action rate", prematureAction)] : []),
    ],
    numbers: {
      head: ["", "share or points", "counts", "95% interval", "adjusted p", "detectable"],
      rows: [
        ...arms.map((arm) => [armLabel(arm, 60), ...rateCells(arm.metrics.accuracy), "", ""]),
        ...floors.map(({ label, accuracy: rate }) => [
          `always ${label}`,
          ...rateCells(rate),
          "",
          "",
        ]),
        ...(accuracy ? pairRows(arms, "accuracy", accuracy) : []),
        ...(prematureAction ? pairRows(arms, "premature", prematureAction) : []),
      ],
    },
  };
}

function explain(arms: readonly Arm[], { shared, arms: compared }: Comparison): Markup {
  const partly = arms.filter((_, at) => (compared[at]?.leftOut ?? 0) > 0);
  return html`Differences are second minus first, in points, on the ${shared.answers} answers to ${shared.traces} traces of ${shared.families} families that all arms share${
    partly.length === 0
      ? ""
      : ` (arm ${partly.map(({ number }) => number).join(", ")} has more, so its accuracy there is another)`
  }. Intervals of differences are by paired bootstrap over traces and over families, the wider one shown; one that crosses 0 leaves open which arm is better.`;
}

/** The best constant labels: one, unless runs were made on different traces. */
function floorsOf(arms: readonly Arm[]): BestConstant[] {
  const floors = arms.flatMap(({ metrics }) => metrics.bestConstant ?? []);
  const keyOf = ({ label, accuracy }: BestConstant) =>
    `${label} ${(accuracy.value ?? 0).toFixed(4)}`;
  return [...new Map(floors.map((floor) => [keyOf(floor), floor])).values()];
}

function drawAccuracies(arms: readonly Arm[], floors: readonly BestConstant[]): Drawing {
  const rows = [
    ...arms.map((arm) => {
      const { accuracy } = arm.metrics;
      return { label: armLabel(arm, 60), rate: accuracy, isFloor: arm.isFloor };
    }),
    ...floors.map(({ label, accuracy }) => {
      return { label: `always ${label}`, rate: accuracy, isFloor: true };
    }),
  ].map(({ rate, ...row }) => ({ ...row, ...rateRow(rate) }));
  return drawIntervals({
    name: "arms-accuracy",
    title: "Accuracy of each arm with its 95% interval",
    heading: "accuracy",
    description: describeRates(rows),
    rows,
    domain: [0, 1],
    tick: percentTick,
    rule: floors.length === 1 ? (floors[0]?.accuracy.value ?? undefined) : undefined,
  });
}

function drawDifferences(arms: readonly Arm[], measure: string, { pairs }: Contrast): Drawing {
  const rows = pairs.map((pair) => ({
    label: pairLabel(arms, pair),
    note: points(pair.difference),
    value: pair.difference,
    low: pair.low,
    high: pair.high,
  }));
  const farthest = Math.max(
    0.1,
    ...rows.flatMap(({ value, low, high }) => [value, low ?? 0, high ?? 0].map(Math.abs)),
  );
  const end = Math.min(1, Math.ceil(farthest * 10) / 10);
  return drawIntervals({
    name: `differences-${measure.replace(" ", "-")}`,
    title: `Paired differences in ${measure}, in points, with 95% intervals`,
    heading: `${measure}, differences in points`,
    description: pairs
      .map(
        (pair) =>
          `${pairLabel(arms, pair)}: ${points(pair.difference)}, ${intervalInPoints(pair)}.`,
      )
      .join(" "),
    rows,
    domain: [-end, end],
    tick: (value) => points(value).replace(/\.0$/, ""),
    rule: 0,
  });
}

function pairRows(arms: readonly Arm[], measure: string, { pairs, traces }: Contrast): string[][] {
  return pairs.map((pair) => [
    `${measure}, ${pairLabel(arms, pair)}`,
    points(pair.difference),
    `${traces} traces`,
    intervalInPoints(pair),
    decimal(pair.adjustedP, 4),
    decimal(pair.detectable === null ? null : pair.detectable * 100, 1),
  ]);
}

function pairLabel(arms: readonly Arm[], { first, second }: PairContrast): string {
  const [from, to] = [arms[first], arms[second]];
  return from && to ? `${to.number} − ${from.number}: ${to.name} − ${from.name}` : "";
}

function intervalInPoints({ low, high, degenerate }: PairContrast): string {
  if (low === null || high === null) return NOT_AVAILABLE;
  return `${points(low)} to ${points(high)}${degenerate ? " (degenerate)" : ""}`;
}
