import type { Contrast, PairContrast } from "../../result/contrast.ts";
import { decimal, NOT_AVAILABLE, points } from "../../result/table.ts";
import type { Arm } from "../arms.ts";
import { counted } from "../counted.ts";
import type { Drawing } from "../draw.ts";
import { drawIntervals } from "../interval-rows.ts";

/** A measure by which arms are compared. */
export interface Measure {
  readonly name: string;
  readonly contrast: Contrast;
}

/** One drawing for each measure, all on one scale that has 0 in its middle. */
export function drawDifferences(arms: readonly Arm[], measures: readonly Measure[]): Drawing[] {
  const ends = measures.flatMap(({ contrast }) =>
    contrast.pairs.flatMap(({ difference, low, high }) => [difference, low ?? 0, high ?? 0]),
  );
  const farthest = ends.reduce((most, end) => Math.max(most, Math.abs(end)), 0.1);
  const end = Math.min(1, Math.ceil(farthest * 10) / 10);
  return measures.map((measure) => drawMeasure(arms, measure, end));
}

function drawMeasure(arms: readonly Arm[], { name, contrast }: Measure, end: number): Drawing {
  const rows = contrast.pairs.map((pair) => ({
    label: pairLabel(arms, pair),
    note: `${points(pair.difference)}, p ${decimal(pair.adjustedP)}`,
    value: pair.difference,
    low: pair.low,
    high: pair.high,
  }));
  return drawIntervals({
    name: `differences-${name.replace(" ", "-")}`,
    title: `Paired differences in ${name}, in points, with 95% intervals`,
    heading: `${name}: points, adjusted p`,
    description: contrast.pairs
      .map((pair, at) => `${pairLabel(arms, pair)}: ${rows[at]?.note}, ${intervalInPoints(pair)}.`)
      .join(" "),
    rows,
    domain: [-end, end],
    tick: (value) => points(value).replace(/\.0$/, ""),
    rule: 0,
  });
}

/** The pairs of a measure as rows of a table. */
export function pairRows(arms: readonly Arm[], { name, contrast }: Measure): string[][] {
  return contrast.pairs.map((pair) => [
    `${name}, ${pairLabel(arms, pair)}`,
    points(pair.difference),
    counted(contrast.traces, "trace"),
    intervalInPoints(pair),
    decimal(pair.adjustedP, 4),
    decimal(pair.detectable === null ? null : pair.detectable * 100, 1),
  ]);
}

function pairLabel(arms: readonly Arm[], { first, second }: PairContrast): string {
  const [from, to] = [arms[first], arms[second]];
  return from && to ? `${to.number} − ${from.number}: ${to.short} − ${from.short}` : "";
}

function intervalInPoints({ low, high, degenerate }: PairContrast): string {
  if (low === null || high === null) return NOT_AVAILABLE;
  return `${points(low)} to ${points(high)}${degenerate ? " (degenerate)" : ""}`;
}
