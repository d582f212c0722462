import { dot, rect, text } from "@observablehq/plot";
import type { ScoredAnswer } from "../../result/scored.ts";
import { percent, rateCells } from "../../result/table.ts";
import { OUTCOMES, type Outcome } from "../../task/outcome.ts";
import { type Arm, armLabel, armSlug } from "../arms.ts";
import { type Drawing, draw, WIDTH } from "../draw.ts";
import type { Figure } from "../figure.ts";
import { html } from "../markup.ts";
import { OUTCOME_NAMES, paint } from "../theme.ts";

/** Distance between squares: the largest that keeps an arm of so many answers short. */
const PITCHES = [
  { upTo: 100, pitch: 14 },
  { upTo: 1000, pitch: 9 },
  { upTo: Number.POSITIVE_INFINITY, pitch: 5 },
];
const LINE = 19;

/** Where every single answer of each arm went. */
export function outcomesFigure(arms: readonly Arm[]): Figure {
  const most = Math.max(0, ...arms.map(({ answers }) => answers.length));
  const pitch = PITCHES.find(({ upTo }) => most <= upTo)?.pitch ?? 5;
  return {
    name: "outcomes",
    title: `Where ${countsOf(arms)} answers went`,
    lead: html`One square for each answer, grouped by outcome; a dot in a square marks an answer that names ACT. Shares are of all answers; the premature-action rate below is of those whose gold label is not ACT. ACT lean is the share of ACT among the answers that name a label.`,
    drawings: arms.map((arm) => drawArm(arm, pitch)),
    numbers: {
      head: [
        "arm",
        "answers",
        ...OUTCOMES.map((outcome) => OUTCOME_NAMES[outcome]),
        "ACT lean",
        "counts",
        "95% interval",
      ],
      rows: arms.map((arm) => [
        armLabel(arm, 60),
        String(arm.metrics.answers),
        ...OUTCOMES.map((outcome) => String(arm.metrics.outcomes[outcome])),
        ...rateCells(arm.metrics.actLean),
      ]),
    },
  };
}

function countsOf(arms: readonly Arm[]): string {
  const counts = new Set(arms.map(({ answers }) => answers.length));
  return counts.size === 1 ? `the ${[...counts].join("")}` : "the";
}

function drawArm(arm: Arm, pitch: number): Drawing {
  const { metrics, answers } = arm;
  const left = 2;
  const columns = Math.floor((WIDTH - 2 * left) / pitch);
  const labels: { y: number; text: string }[] = [];
  const squares: { outcome: Outcome; x: number; y: number; isAct: boolean }[] = [];
  let y = LINE + 4;
  for (const outcome of OUTCOMES) {
    const members = answers.filter((answer) => answer.outcome === outcome);
    // ACT first, so that its dots stand together.
    const sorted = [...members.filter(namesAct), ...members.filter((each) => !namesAct(each))];
    labels.push({ y: y + 9, text: labelOf(outcome, members.length, answers.length) });
    y += LINE;
    sorted.forEach((answer, at) => {
      const row = Math.floor(at / columns);
      const x = left + (at % columns) * pitch;
      squares.push({ outcome, x, y: y + row * pitch, isAct: namesAct(answer) });
    });
    y += Math.ceil(members.length / columns) * pitch + 5;
  }
  const size = pitch - 1;
  const [lean, counts, interval] = rateCells(metrics.actLean);
  const leanLine = `ACT lean ${lean} (${counts}), ${interval}`;
  return draw({
    name: `outcomes-${armSlug(arm)}`,
    title: `Where the ${answers.length} answers of ${arm.name} went`,
    description: `${labels.map((label) => label.text).join("; ")}. ${leanLine}.`,
    height: y + LINE + 4,
    x: { type: "identity", axis: null },
    y: { type: "identity", axis: null },
    marks: [
      text([armLabel(arm, 44)], { x: left, y: 8, textAnchor: "start", fontWeight: "bold" }),
      text(labels, { x: left, y: "y", text: "text", textAnchor: "start", fill: paint("ink") }),
      ...OUTCOMES.map((outcome) =>
        rect(
          squares.filter((square) => square.outcome === outcome),
          {
            x1: "x",
            x2: ({ x }) => x + size,
            y1: "y",
            y2: (square) => square.y + size,
            fill: paint(outcome),
          },
        ),
      ),
      dot(
        squares.filter(({ isAct }) => isAct),
        {
          x: ({ x }) => x + size / 2,
          y: (square) => square.y + size / 2,
          r: size / 4,
          fill: paint("paper"),
        },
      ),
      text([leanLine], { x: left, y: y + 14, textAnchor: "start", fill: paint("soft") }),
    ],
  });
}

/** Whether the answer counts as ACT. */
function namesAct({ outcome, lenient }: ScoredAnswer): boolean {
  return outcome !== "cut_off" && lenient.label === "ACT";
}

function labelOf(outcome: Outcome, count: number, all: number): string {
  return `${OUTCOME_NAMES[outcome]} ${count} of ${all} · ${percent(all === 0 ? null : count / all)}`;
}
