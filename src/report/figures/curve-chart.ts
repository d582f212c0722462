import { axisX, axisY, gridY, line, type Markish, text } from "@observablehq/plot";
import type { Outcome } from "../../task/outcome.ts";
import { type Arm, armLabel, armSlug } from "../arms.ts";
import type { Curve } from "../curves.ts";
import { type Drawing, draw } from "../draw.ts";
import { shorten } from "../plain-text.ts";
import { ABOVE, AXIS, GRID, lineAbove } from "../share-axes.ts";
import { OUTCOME_NAMES, paint } from "../theme.ts";

/** A series, and the outcome it counts, if any. */
export interface ChartLine extends Curve {
  readonly outcome: Outcome | null;
}

/** Lines that share axes: the outcomes of one kind, or one series alone. */
export interface Chart {
  readonly name: string;
  readonly lines: readonly ChartLine[];
}

/** Dashes by outcome, so that lines differ in more than colour: as SVG has them, and for the key. */
const DASHES: Readonly<Record<Outcome, { readonly array: string; readonly sign: string }>> = {
  correct: { array: "none", sign: "━━━" },
  premature_act: { array: "8,3", sign: "━ ━" },
  missed_act: { array: "3,3", sign: "╍╍╍" },
  wrong: { array: "8,3,2,3", sign: "━·━" },
  unreadable: { array: "2,2", sign: "┅┅┅" },
  cut_off: { array: "1,4", sign: "· · ·" },
};

/** One chart of one arm's training. */
export function drawChart(arm: Arm, { name, lines }: Chart, number: number): Drawing {
  const steps = lines.flatMap(({ points }) => points.map(({ step }) => step));
  const from = steps.reduce((a, b) => Math.min(a, b));
  const to = steps.reduce((a, b) => Math.max(a, b));
  const counted = lines.flatMap(({ outcome }) => outcome ?? []);
  const above = 2 + Math.ceil(counted.length / 2);
  return draw({
    name: `curves-${armSlug(arm)}-${number}`,
    title: `${name} of ${arm.name} over training steps`,
    description: lines.map(describe).join(" "),
    height: above * ABOVE.line + 196,
    marginTop: above * ABOVE.line + 8,
    marginRight: 20,
    marginBottom: 42,
    marginLeft: ABOVE.left,
    x: { domain: from === to ? [from - 1, to + 1] : [from, to] },
    y: counted.length > 0 ? { zero: true } : {},
    marks: [
      lineAbove(armLabel(arm, 44), { at: 0, of: above }),
      lineAbove(shorten(name, 44), { at: 1, of: above }),
      ...counted.flatMap((outcome, at) => keyMarks(outcome, at, above)),
      gridY({ ...GRID, ticks: 4 }),
      axisX({ ...AXIS, ticks: 4, tickFormat: tickText }),
      text(["step →"], { frameAnchor: "bottom-right", dy: 36, fill: paint("soft") }),
      axisY({ ...AXIS, ticks: 4, tickFormat: tickText }),
      ...lines.map(({ points, outcome }) =>
        line(points, {
          x: "step",
          y: "value",
          stroke: paint(outcome ?? "ink"),
          strokeWidth: 2,
          strokeDasharray: outcome === null ? "none" : DASHES[outcome].array,
        }),
      ),
    ],
  });
}

/** An entry of the key: two in a line. */
function keyMarks(outcome: Outcome, at: number, above: number): Markish[] {
  const line = 2 + Math.floor(at / 2);
  const left = 2 + (at % 2) * 160 - ABOVE.left;
  const place = { frameAnchor: "top-left", dy: -2 - (above - line) * ABOVE.line } as const;
  return [
    text([DASHES[outcome].sign], { ...place, dx: left, fill: paint(outcome), fontWeight: "bold" }),
    text([OUTCOME_NAMES[outcome]], { ...place, dx: left + 36, fill: paint("ink") }),
  ];
}

function describe({ name, points }: ChartLine): string {
  const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0];
  return `${name}: from ${tickText(first)} to ${tickText(last)}.`;
}

/** Three digits say enough, and fit beside an axis. */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 100_000)) {
    return value.toExponential(2).replace(/\.?0*e/, "e");
  }
  return String(Number(value.toPrecision(3)));
}
