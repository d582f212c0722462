import { dot, ruleY } from "@observablehq/plot";
import type { Rate } from "../result/rate.ts";
import { intervalText, rateCells } from "../result/table.ts";
import { type Drawing, draw } from "./draw.ts";
import { type FrameOptions, markLine, type Row, rowFrame } from "./row-frame.ts";
import { paint } from "./theme.ts";

/** One estimate with its interval. */
export interface IntervalRow extends Row {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Something to measure against, not an arm: drawn hollow. */
  readonly isFloor?: boolean | undefined;
}

/** What {@link drawIntervals} takes. */
export interface IntervalOptions extends FrameOptions<IntervalRow> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** A rate as a row shows it, without its label. */
export function rateRow(rate: Rate): Omit<IntervalRow, "label"> {
  const [share, counts] = rateCells(rate);
  return { note: `${share} (${counts})`, value: rate.value, low: rate.low, high: rate.high };
}

/** Rows of rates in words. */
export function describeRates(rows: readonly IntervalRow[]): string {
  return rows.map((row) => `${row.label}: ${row.note}, ${intervalText(row)}.`).join(" ");
}

/** A forest plot. */
export function drawIntervals({ name, title, description, ...rows }: IntervalOptions): Drawing {
  const { placed, marks, frame } = rowFrame(rows);
  const known = placed.filter(({ value }) => value !== null);
  const bounded = known.filter(({ low, high }) => low !== null && high !== null);
  return draw({
    name,
    title,
    description,
    ...frame,
    marks: [
      ...marks,
      ruleY(bounded, {
        y: markLine,
        x1: "low",
        x2: "high",
        stroke: paint("ink"),
        strokeWidth: 1.5,
      }),
      dot(known, {
        x: "value",
        y: markLine,
        r: 4,
        fill: ({ isFloor }) => paint(isFloor ? "paper" : "ink"),
        stroke: paint("ink"),
        strokeWidth: 1.5,
      }),
    ],
  });
}
