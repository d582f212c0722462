import { OUTCOMES } from "../../task/outcome.ts";
import { type Arm, armLabel } from "../arms.ts";
import type { Curve } from "../curves.ts";
import type { Figure } from "../figure.ts";
import { html } from "../markup.ts";
import { shorten } from "../plain-text.ts";
import { type Chart, drawChart, tickText } from "./curve-chart.ts";

/** How training went, of the runs that have a record of it. */
export function curvesFigure(arms: readonly Arm[]): Figure | null {
  const trained = arms.filter(({ curves }) => curves.length > 0);
  if (trained.length === 0) return null;
  const all = trained.flatMap((arm) => {
    return chartsOf(arm.curves.map(inMeans)).map((chart) => ({ arm, chart }));
  });
  return {
    name: "curves",
    title: "Training curves",
    lead: html`From metrics.jsonl beside the run. Every outcome has its own line: a reward that rises can hide one outcome traded for another. Of a long series, each point is the mean of neighbouring steps; the table has the steps themselves.`,
    drawings: all.map(({ arm, chart }, at) => drawChart(arm, chart, at + 1)),
    numbers: {
      head: ["arm", "series", "steps", "first", "last", "lowest", "highest"],
      rows: trained.flatMap((arm) =>
        arm.curves.map((curve) => [armLabel(arm, 60), ...rowOf(curve)]),
      ),
    },
  };
}

/** Points of a drawn line: single steps jump too much to show a course. */
const MOST_POINTS = 25;

/** A series as means over equally many neighbouring steps, no more than {@link MOST_POINTS} of them. */
function inMeans({ name, points }: Curve): Curve {
  const size = Math.ceil(points.length / MOST_POINTS);
  const means = Array.from({ length: Math.ceil(points.length / size) }, (_, at) => {
    const own = points.slice(at * size, (at + 1) * size);
    const mean = (of: (point: Curve["points"][number]) => number) =>
      own.reduce((sum, point) => sum + of(point), 0) / own.length;
    return { step: mean(({ step }) => step), value: mean(({ value }) => value) };
  });
  return { name, points: means };
}

/** Series called after outcomes, as `correct` or `train/correct`, share a chart for each prefix. */
function chartsOf(curves: readonly Curve[]): Chart[] {
  const charts = new Map<string, Chart>();
  for (const curve of curves) {
    const outcome = OUTCOMES.find((each) => curve.name === each || endsWithPart(curve.name, each));
    const before = outcome && curve.name.slice(0, -outcome.length).replace(/[./:_ -]+$/, "");
    // The name of the field that holds them says no more than the title.
    const prefix = before?.replace(/(^|\/)outcomes$/, "");
    const name = outcome === undefined ? curve.name : `outcomes${prefix ? `, ${prefix}` : ""}`;
    // A series and a group of outcomes may have one name; a chart is one or the other.
    const key = JSON.stringify([outcome !== undefined, name]);
    const lines = charts.get(key)?.lines ?? [];
    charts.set(key, { name, lines: [...lines, { ...curve, outcome: outcome ?? null }] });
  }
  return [...charts.values()];
}

function endsWithPart(name: string, part: string): boolean {
  return ["/", ".", ":"].some((mark) => name.endsWith(mark + part));
}

function rowOf({ name, points }: Curve): string[] {
  const values = points.map(({ value }) => value);
  const lowest = values.reduce((a, b) => Math.min(a, b));
  const highest = values.reduce((a, b) => Math.max(a, b));
  const cells = [values[0] ?? 0, values.at(-1) ?? 0, lowest, highest];
  return [shorten(name, 60), String(points.length), ...cells.map(tickText)];
}
