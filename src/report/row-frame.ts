import { axisX, gridX, type Markish, rect, ruleX, text } from "@observablehq/plot";
import { type DrawOptions, WIDTH } from "./draw.ts";
import { shorten } from "./plain-text.ts";
import { paint } from "./theme.ts";

/** What every row of a chart says in words. */
export interface Row {
  readonly label: string;
  /** Such as `20.0% (6 of 30)`; stands at the right. */
  readonly note: string;
}

/** A row and where its label begins. */
export type Placed<T> = T & { readonly y: number };

/** What {@link rowFrame} takes. */
export interface FrameOptions<T extends Row> {
  readonly rows: readonly T[];
  /** A line above the rows. */
  readonly heading?: string | undefined;
  readonly domain: readonly [number, number];
  readonly tick: (value: number) => string;
  /** A value to measure the rows against. */
  readonly rule?: number | undefined;
}

const ROW = 36;
const LABEL = 16;
const HEADING = 24;
const BOTTOM = 26;
const LEFT = 14;
const RIGHT = 20;
/** Columns of letters that a row has for its label and its note together. */
const COLUMNS = 46;

/**
 * The frame of a chart with one row for each estimate. Labels stand above the marks of their row,
 * not beside them, so that it fits a phone.
 *
 * @returns the rows with their places, the frame's marks, and everything else that drawing takes
 */
export function rowFrame<T extends Row>({ rows, heading, domain, tick, rule }: FrameOptions<T>) {
  const top = heading === undefined ? 4 : HEADING;
  const placed: Placed<T>[] = rows.map((row, at) => ({ ...row, y: top + at * ROW }));
  const [low, high] = domain;
  const labels = { y: ({ y }: { readonly y: number }) => y + 8 };
  const marks: Markish[] = [
    ...(heading === undefined
      ? []
      : [
          text([heading], { x: low, y: 8, dx: -LEFT + 2, textAnchor: "start", fontWeight: "bold" }),
        ]),
    gridX({ ticks: 5, stroke: paint("line"), strokeOpacity: 1 }),
    axisX({ ticks: 5, tickSize: 0, tickFormat: tick, label: null, fill: paint("soft") }),
    ...(rule === undefined
      ? []
      : [ruleX([rule], { stroke: paint("soft"), strokeDasharray: "4,3" })]),
    // Grid lines end where words begin: a rim around letters would leave them between words.
    rect(placed, {
      x1: low,
      x2: high,
      y1: ({ y }) => y,
      y2: ({ y }) => y + LABEL,
      insetLeft: -1,
      insetRight: -1,
      fill: paint("paper"),
    }),
    text(placed, {
      ...labels,
      x: low,
      text: ({ label, note }) => shorten(label, COLUMNS - note.length),
      textAnchor: "start",
      fill: paint("ink"),
    }),
    text(placed, { ...labels, x: high, text: "note", textAnchor: "end", fill: paint("soft") }),
  ];
  const frame = {
    height: top + rows.length * ROW + BOTTOM,
    marginTop: top,
    marginLeft: LEFT,
    marginRight: RIGHT,
    marginBottom: BOTTOM,
    x: { domain: [low, high], range: [LEFT, WIDTH - RIGHT] },
    y: { type: "identity", axis: null },
  } satisfies Partial<DrawOptions>;
  return { placed, marks, frame };
}

/** Where the marks of a row lie. */
export function markLine({ y }: { readonly y: number }): number {
  return y + 24;
}
