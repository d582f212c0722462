import { dot, ruleX, ruleY, text } from "@observablehq/plot";
import { rateCells } from "../../result/table.ts";
import { type Arm, armLabel } from "../arms.ts";
import { type Drawing, draw, WIDTH } from "../draw.ts";
import type { Figure } from "../figure.ts";
import { html } from "../markup.ts";
import { isMute, readableRate } from "../readable.ts";
import { SHARE_MARGINS, shareAxes } from "../share-axes.ts";
import { halo, paint } from "../theme.ts";

/** Arms closer than this share, in both directions, get one label. */
const NEAR = 0.04;

interface Point {
  readonly arms: readonly number[];
  readonly x: number;
  readonly y: number;
}

/** The two ways of misjudging when to act, one against the other. */
export function prematureFigure(arms: readonly Arm[]): Figure {
  return {
    name: "premature",
    title: "Premature against missed action",
    lead: html`To the right: ACT named though another label is right. Upwards: another label named though ACT is right. Down and left is better, but an answer that names no label counts as neither: read a point together with the arm's readable share, and trust no hollow one (an arm that names a label in less than half of its answers). Lines are 95% intervals, figures the arms' numbers.`,
    drawings: [drawRates(arms)],
    numbers: {
      head: [
        "arm",
        "premature, of gold other than ACT",
        "counts",
        "95% interval",
        "missed, of gold ACT",
        "counts",
        "95% interval",
        "readable",
        "counts",
      ],
      rows: arms.map((arm) => [
        armLabel(arm, 60),
        ...rateCells(arm.metrics.prematureAction),
        ...rateCells(arm.metrics.missedAction),
        ...rateCells(readableRate(arm.metrics)).slice(0, 2),
      ]),
    },
  };
}

function drawRates(arms: readonly Arm[]): Drawing {
  const rates = arms.flatMap(({ number, metrics }) => {
    const { prematureAction: x, missedAction: y } = metrics;
    if (x.value === null || y.value === null) return [];
    const interval = { left: x.low, right: x.high, low: y.low, high: y.high };
    return [{ number, isHollow: isMute(metrics), x: x.value, y: y.value, ...interval }];
  });
  const labels = together(rates);
  return draw({
    name: "premature-missed",
    title: "Premature-action rate against missed-action rate",
    description: arms
      .map((arm) => {
        const [premature] = rateCells(arm.metrics.prematureAction);
        const [missed] = rateCells(arm.metrics.missedAction);
        const [readable] = rateCells(readableRate(arm.metrics));
        return `${armLabel(arm, 60)}: premature ${premature}, missed ${missed}, readable ${readable}.`;
      })
      .join(" "),
    height: WIDTH,
    ...SHARE_MARGINS,
    marginTop: 26,
    x: { domain: [0, 1] },
    y: { domain: [0, 1] },
    marks: [
      ...shareAxes({ x: "premature-action rate", y: "missed-action rate" }),
      ruleY(rates, { y: "y", x1: "left", x2: "right", stroke: paint("soft"), strokeOpacity: 0.6 }),
      ruleX(rates, { x: "x", y1: "low", y2: "high", stroke: paint("soft"), strokeOpacity: 0.6 }),
      dot(rates, {
        x: "x",
        y: "y",
        r: 4.5,
        fill: ({ isHollow }) => paint(isHollow ? "paper" : "ink"),
        stroke: paint("ink"),
        strokeWidth: 1.5,
      }),
      ...[false, true].map((isLeft) =>
        text(
          labels.filter(({ x }) => x > 0.7 === isLeft),
          {
            x: "x",
            y: "y",
            text: (point) => point.arms.join(", "),
            dx: isLeft ? -8 : 8,
            dy: -9,
            textAnchor: isLeft ? "end" : "start",
            fontWeight: "bold",
            ...halo(),
            fill: paint("ink"),
          },
        ),
      ),
    ],
  });
}

/** Points whose labels would cover each other share one. */
function together(rates: readonly { number: number; x: number; y: number }[]): Point[] {
  const points: Point[] = [];
  for (const { number, x, y } of rates) {
    const at = points.findIndex(
      (point) => Math.abs(point.x - x) < NEAR && Math.abs(point.y - y) < NEAR,
    );
    const near = points[at];
    if (near) points[at] = { ...near, arms: [...near.arms, number] };
    else points.push({ arms: [number], x, y });
  }
  return points;
}
