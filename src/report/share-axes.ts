import { axisX, axisY, gridX, gridY, type Markish, text } from "@observablehq/plot";
import { paint } from "./theme.ts";

/** Room around a square chart: its axes' figures and names, and lines above it. */
export const SHARE_MARGINS = { marginRight: 20, marginBottom: 42, marginLeft: 46 } as const;

/** A share on an axis. */
export function percentTick(value: number): string {
  return `${Math.round(value * 100)}%`;
}

/** How axes look: no ticks, no label of their own. */
export const AXIS = { ticks: 5, tickSize: 0, label: null, fill: paint("soft") };

/** How grids look. */
export const GRID = { ticks: 5, stroke: paint("line"), strokeOpacity: 1 };

/** Two axes of shares, each named at its end. */
export function shareAxes({ x, y }: { readonly x: string; readonly y: string }): Markish[] {
  return [
    gridX(GRID),
    gridY(GRID),
    axisX({ ...AXIS, tickFormat: percentTick }),
    axisY({ ...AXIS, tickFormat: percentTick }),
    text([`${y} ↑`], { frameAnchor: "top-left", dx: -44, dy: -20, fill: paint("soft") }),
    text([`${x} →`], { frameAnchor: "bottom-right", dy: 36, fill: paint("soft") }),
  ];
}

/** Lines of words above a chart: how high each is, and how far left of the chart they begin. */
export const ABOVE = { line: 18, left: 46 } as const;

/** A line above the chart, counted from the top; the first is the heading. */
export function lineAbove(line: string, { at, of }: { readonly at: number; readonly of: number }) {
  const isHeading = at === 0;
  return text([line], {
    frameAnchor: "top-left",
    dx: 2 - ABOVE.left,
    dy: -2 - (of - at) * ABOVE.line,
    ...(isHeading ? { fontWeight: "bold" } : { fill: paint("soft") }),
  });
}
