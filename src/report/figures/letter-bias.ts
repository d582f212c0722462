import { axisY, gridY, rect, ruleX, ruleY, text } from "@observablehq/plot";
import { percent, points, rateCells } from "../../result/table.ts";
import { LETTERS } from "../../task/letters.ts";
import { type Arm, armLabel, armSlug } from "../arms.ts";
import { type Drawing, draw } from "../draw.ts";
import { familiesText, WILSON_NOTE } from "../families.ts";
import type { Figure } from "../figure.ts";
import { html } from "../markup.ts";
import { AXIS, GRID, lineAbove, percentTick } from "../share-axes.ts";
import { paint } from "../theme.ts";
import { decisionArms } from "./calibration.ts";

/** Whether an arm answers letters instead of labels; null without decision runs. */
export function letterFigure(arms: readonly Arm[]): Figure | null {
  const shown = decisionArms(arms);
  if (shown.length === 0) return null;
  return {
    name: "letters",
    title: "Letter-position bias",
    lead: html`How often each letter has the highest score, every order of the choices counted for itself, with 95% intervals; a short thick line is how often the letter stood for the gold label. Letters are rotated from trace to trace, so a model that reads them picks each about one time in five (dashed). ${rotated(shown)}`,
    drawings: shown.map(drawArm),
    numbers: {
      head: ["arm", "letter", "picked", "counts", "95% interval", "gold"],
      rows: shown.flatMap((arm) =>
        LETTERS.map((letter) => {
          const { picked, gold } = arm.decision.letterBias.letters[letter];
          return [armLabel(arm, 60), letter, ...rateCells(picked), percent(gold.value)];
        }),
      ),
    },
  };
}

/** Orders of one text are far from independent. */
function rotated(arms: readonly Arm[]): string {
  const several = arms.filter(({ run }) => (run.header.letters?.rotations ?? 1) > 1);
  const numbers = several.map(({ number }) => number).join(", ");
  const families = arms.map(({ number, answers }) => `arm ${number}: ${familiesText(answers)}`);
  return `${WILSON_NOTE} Families behind the bars: ${families.join("; ")}.${
    several.length === 0
      ? ""
      : ` Arm ${numbers} asked each text in several orders, and these are alike, too: its intervals are too narrow.`
  }`;
}

function drawArm(arm: ReturnType<typeof decisionArms>[number]): Drawing {
  const { letters, farthest } = arm.decision.letterBias;
  const bars = LETTERS.map((letter, at) => {
    const { picked, gold } = letters[letter];
    return {
      letter,
      at,
      value: picked.value ?? 0,
      low: picked.low,
      high: picked.high,
      gold: gold.value ?? 0,
    };
  });
  const farText = `farthest from a fifth: ${points(farthest)} points`;
  return draw({
    name: `letters-${armSlug(arm)}`,
    title: `Letters picked by ${arm.name}`,
    description: `${bars.map(({ letter, value }) => `${letter} ${percent(value)}`).join(", ")}; ${farText}.`,
    height: 240,
    marginTop: 50,
    marginBottom: 26,
    marginLeft: 46,
    marginRight: 8,
    x: { domain: [0, LETTERS.length], axis: null },
    y: { domain: [0, 1] },
    marks: [
      lineAbove(armLabel(arm, 44), { at: 0, of: 2 }),
      lineAbove(farText, { at: 1, of: 2 }),
      gridY(GRID),
      axisY({ ...AXIS, tickFormat: percentTick }),
      rect(bars, {
        x1: ({ at }) => at + 0.2,
        x2: ({ at }) => at + 0.8,
        y1: 0,
        y2: "value",
        fill: paint("soft"),
        fillOpacity: 0.45,
      }),
      ruleY([1 / LETTERS.length], { stroke: paint("soft"), strokeDasharray: "4,3" }),
      ruleX(bars, {
        x: ({ at }) => at + 0.5,
        y1: "low",
        y2: "high",
        stroke: paint("ink"),
        strokeWidth: 1.5,
      }),
      ruleY(bars, {
        x1: ({ at }) => at + 0.3,
        x2: ({ at }) => at + 0.7,
        y: "gold",
        stroke: paint("ink"),
        strokeWidth: 3,
      }),
      text(bars, { x: ({ at }) => at + 0.5, y: 0, dy: 14, text: "letter", fill: paint("ink") }),
    ],
  });
}
