import { rect, text } from "@observablehq/plot";
import { LABELS, type Label } from "../../core/intervention.ts";
import { ANSWER_COLUMNS, type AnswerColumn } from "../../result/confusion.ts";
import { classify, type Outcome } from "../../task/outcome.ts";
import { type Arm, armLabel, armSlug } from "../arms.ts";
import { type Drawing, draw, WIDTH } from "../draw.ts";
import type { Figure } from "../figure.ts";
import { html } from "../markup.ts";
import { outcomeKey } from "../outcome-key.ts";
import { paint } from "../theme.ts";

const LEFT = 76;
const TOP = 88;
/** What the last column's slanted name needs beside its cell. */
const RIGHT = 26;
const CELL = { width: (WIDTH - LEFT - RIGHT) / ANSWER_COLUMNS.length, height: 30 };
/** Opacity of a cell that holds its whole row: its number still stands out, by day and by night. */
export const DARKEST = 0.34;

/** What was answered where which label is right. */
export function confusionFigure(arms: readonly Arm[]): Figure {
  return {
    name: "confusion",
    title: "Confusion matrix",
    lead: html`Rows are gold labels, columns are answers, unreadable and cut-off ones apart. A cell's colour is the outcome it stands for, its strength the share of its row. ${outcomeKey()}`,
    drawings: arms.map(drawArm),
    numbers: {
      head: ["arm", "gold", ...ANSWER_COLUMNS.map(columnName)],
      rows: arms.flatMap((arm) =>
        LABELS.map((gold) => [
          armLabel(arm, 60),
          gold,
          ...ANSWER_COLUMNS.map((column) => String(arm.metrics.confusion[gold][column])),
        ]),
      ),
    },
  };
}

function drawArm(arm: Arm): Drawing {
  const { confusion } = arm.metrics;
  const cells = LABELS.flatMap((gold, row) => {
    const total = ANSWER_COLUMNS.reduce((sum, column) => sum + confusion[gold][column], 0);
    return ANSWER_COLUMNS.map((column, at) => ({
      x: LEFT + at * CELL.width,
      y: TOP + row * CELL.height,
      count: confusion[gold][column],
      share: total === 0 ? 0 : confusion[gold][column] / total,
      outcome: outcomeAt(gold, column),
    }));
  });
  const columns = ANSWER_COLUMNS.map((column, at) => ({
    x: LEFT + (at + 0.5) * CELL.width,
    name: columnName(column),
  }));
  const rows = LABELS.map((name, at) => ({ name, y: TOP + (at + 0.5) * CELL.height }));
  return draw({
    name: `confusion-${armSlug(arm)}`,
    title: `Confusion matrix of ${arm.name}`,
    description: LABELS.map((gold) => {
      const parts = ANSWER_COLUMNS.filter((column) => confusion[gold][column] > 0).map(
        (column) => `${confusion[gold][column]} ${columnName(column)}`,
      );
      return `Gold ${gold}: ${parts.join(", ") || "no answers"}.`;
    }).join(" "),
    height: TOP + LABELS.length * CELL.height + 4,
    x: { type: "identity", axis: null },
    y: { type: "identity", axis: null },
    opacity: { type: "identity" },
    marks: [
      text([armLabel(arm, 44)], { x: 2, y: 8, textAnchor: "start", fontWeight: "bold" }),
      text(["answer →", "gold ↓"], {
        x: LEFT - 6,
        y: (_: string, at: number) => TOP - 28 + at * 16,
        textAnchor: "end",
        fontSize: 11,
        fill: paint("soft"),
      }),
      text(columns, {
        x: "x",
        y: TOP - 6,
        text: "name",
        textAnchor: "start",
        rotate: -45,
        fontSize: 11,
      }),
      text(rows, { x: LEFT - 6, y: "y", text: "name", textAnchor: "end", fontSize: 11 }),
      rect(cells, {
        x1: ({ x }) => x + 1,
        x2: ({ x }) => x + CELL.width - 1,
        y1: ({ y }) => y + 1,
        y2: ({ y }) => y + CELL.height - 1,
        fill: paint("card"),
      }),
      rect(
        cells.filter(({ count }) => count > 0),
        {
          x1: ({ x }) => x + 1,
          x2: ({ x }) => x + CELL.width - 1,
          y1: ({ y }) => y + 1,
          y2: ({ y }) => y + CELL.height - 1,
          fill: ({ outcome }) => paint(outcome),
          fillOpacity: ({ share }) => 0.12 + share * (DARKEST - 0.12),
        },
      ),
      text(cells, {
        x: ({ x }) => x + CELL.width / 2,
        y: ({ y }) => y + CELL.height / 2,
        text: ({ count }) => String(count),
        fill: ({ count }) => paint(count === 0 ? "soft" : "ink"),
      }),
    ],
  });
}

function outcomeAt(gold: Label, column: AnswerColumn): Outcome {
  if (column === "cut_off" || column === "unreadable") return column;
  return classify(gold, column);
}

function columnName(column: AnswerColumn): string {
  return column.replace("_", " ");
}
