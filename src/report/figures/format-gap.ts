import { dot, ruleY } from "@observablehq/plot";
import { percent, points, rateCells } from "../../result/table.ts";
import type { WrittenMetrics } from "../../result/written-metrics.ts";
import { type Arm, armLabel, rowLabel } from "../arms.ts";
import { type Drawing, draw } from "../draw.ts";
import type { Figure } from "../figure.ts";
import { html } from "../markup.ts";
import { markLine, rowFrame } from "../row-frame.ts";
import { percentTick } from "../share-axes.ts";
import { paint } from "../theme.ts";

interface WrittenArm extends Arm {
  readonly written: WrittenMetrics;
}

/** What format alone costs each arm that writes its answers. */
export function formatFigure(arms: readonly Arm[]): Figure {
  const written = arms.flatMap((arm) =>
    arm.metrics.written === null ? [] : [{ ...arm, written: arm.metrics.written }],
  );
  const others = arms.length - written.length;
  return {
    name: "format",
    title: "Strict against lenient",
    lead: html`Accuracy of the strict parse (exactly one JSON object) and of the lenient one (whatever states one label). The distance between them is what format alone costs, in points.${
      others > 0
        ? ` Left out: ${others} without written answers (letters read as probabilities have no format to break).`
        : ""
    }`,
    drawings: written.length === 0 ? [] : [drawGaps(written)],
    numbers: {
      head: ["arm", "strict", "counts", "95% interval", "lenient", "counts", "gap", "valid JSON"],
      rows: written.map((arm) => [
        armLabel(arm, 60),
        ...rateCells(arm.written.strictAccuracy),
        ...rateCells(arm.written.lenientAccuracy).slice(0, 2),
        points(arm.written.formatGap),
        percent(arm.written.validJson.value),
      ]),
    },
  };
}

function drawGaps(arms: readonly WrittenArm[]): Drawing {
  const rows = arms.map((arm) => ({
    label: rowLabel(arm),
    note: `gap ${points(arm.written.formatGap)}`,
    strict: arm.written.strictAccuracy.value ?? 0,
    lenient: arm.written.lenientAccuracy.value ?? 0,
  }));
  const { placed, marks, frame } = rowFrame({
    rows,
    heading: "○ strict   ● lenient",
    domain: [0, 1],
    tick: percentTick,
  });
  const line = { stroke: paint("ink"), strokeWidth: 1.5 };
  return draw({
    name: "format-gap",
    title: "Strict and lenient accuracy of each arm",
    description: rows
      .map(
        ({ label, strict, lenient, note }) =>
          `${label}: strict ${percent(strict)}, lenient ${percent(lenient)}, ${note} points.`,
      )
      .join(" "),
    ...frame,
    marks: [
      ...marks,
      ruleY(placed, { ...line, y: markLine, x1: "strict", x2: "lenient" }),
      dot(placed, { ...line, x: "lenient", y: markLine, r: 4, fill: paint("ink") }),
      // Larger than the other point: where both lie together, both are seen.
      dot(placed, { ...line, x: "strict", y: markLine, r: 6.5 }),
    ],
  });
}
