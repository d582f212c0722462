import { dot, line, ruleX, text } from "@observablehq/plot";
import type { DecisionMetrics } from "../../result/decision-metrics.ts";
import { decimal, percent } from "../../result/table.ts";
import { wilson } from "../../stats/wilson.ts";
import { type Arm, armLabel, armSlug } from "../arms.ts";
import { type Drawing, draw } from "../draw.ts";
import { WILSON_NOTE } from "../families.ts";
import type { Figure } from "../figure.ts";
import { html } from "../markup.ts";
import { lineAbove, SHARE_MARGINS, shareAxes } from "../share-axes.ts";
import { halo, paint } from "../theme.ts";

interface DecisionArm extends Arm {
  readonly decision: DecisionMetrics;
}

/** The arms that were read from letter probabilities. */
export function decisionArms(arms: readonly Arm[]): DecisionArm[] {
  return arms.flatMap((arm) => {
    const { decision } = arm.metrics;
    return decision === null ? [] : [{ ...arm, decision }];
  });
}

/** Whether arms are as often right as they are sure. */
export function calibrationFigure(arms: readonly Arm[]): Figure {
  const shown = decisionArms(arms);
  const bins = shown[0]?.decision.calibration.bins ?? 0;
  return {
    name: "calibration",
    title: "Calibration of decision runs",
    lead:
      shown.length === 0
        ? html`No run was read from letter probabilities, so none has a confidence to check.`
        : html`Each point is a bin of picks by the probability of the pick (${bins} bins of equal width), with its number of picks and a 95% interval; on the diagonal, confidence equals accuracy. An ECE from one or two bins says only how far mean confidence lies from accuracy; equal mass puts as many picks into each bin. ${WILSON_NOTE} Low letter mass means that the model would rather have written something else than a letter.`,
    drawings: shown.map(drawReliability),
    numbers: {
      head: [
        "arm",
        "ECE, equal width",
        "bins used",
        "ECE, equal mass",
        "bins used",
        "Brier",
        "negative log-likelihood",
        "letter mass, mean",
        "lowest",
        "ties",
        "near ties",
      ],
      rows: shown.map((arm) => [armLabel(arm, 60), ...figuresOf(arm.decision)]),
    },
  };
}

function figuresOf(decision: DecisionMetrics): string[] {
  const { calibration, brier, logLoss, letterMass, ties, nearTies } = decision;
  return [
    decimal(calibration.equalWidth.ece),
    binsUsed(calibration.equalWidth),
    decimal(calibration.equalMass.ece),
    binsUsed(calibration.equalMass),
    decimal(brier),
    logLoss.mean === "inf" ? "infinite" : decimal(logLoss.mean),
    percent(letterMass.mean),
    percent(letterMass.lowest),
    String(ties),
    String(nearTies.count),
  ];
}

/** Such as `1 of 10`: bins that hold a pick. */
function binsUsed({ bins }: { readonly bins: readonly { readonly count: number }[] }): string {
  return `${bins.filter(({ count }) => count > 0).length} of ${bins.length}`;
}

function drawReliability(arm: DecisionArm): Drawing {
  const { calibration, brier, letterMass } = arm.decision;
  const { equalWidth, equalMass } = calibration;
  const bins = equalWidth.bins.flatMap(({ count, confidence, accuracy }) => {
    if (confidence === null || accuracy === null) return [];
    const interval = wilson(Math.round(accuracy * count), count);
    return [{ count, confidence, accuracy, low: interval?.low, high: interval?.high }];
  });
  const errors = `ECE ${decimal(equalWidth.ece)} (bins ${binsUsed(equalWidth)}) · equal mass ${decimal(equalMass.ece)}`;
  const losses = `Brier ${decimal(brier)} · letter mass ${percent(letterMass.mean)}`;
  return draw({
    name: `calibration-${armSlug(arm)}`,
    title: `Reliability of ${arm.name}`,
    description: `${errors} (bins ${binsUsed(equalMass)}) · ${losses}. ${bins
      .map(
        ({ count, confidence, accuracy }) =>
          `${count} picks of mean confidence ${percent(confidence)}: ${percent(accuracy)} right.`,
      )
      .join(" ")}`,
    height: 358,
    ...SHARE_MARGINS,
    marginTop: 80,
    x: { domain: [0, 1] },
    y: { domain: [0, 1] },
    marks: [
      lineAbove(armLabel(arm, 44), { at: 0, of: 4 }),
      lineAbove(errors, { at: 1, of: 4 }),
      lineAbove(losses, { at: 2, of: 4 }),
      ...shareAxes({ x: "probability of the pick", y: "share right" }),
      line([0, 1], {
        x: (value) => value,
        y: (value) => value,
        stroke: paint("soft"),
        strokeDasharray: "4,3",
      }),
      ruleX(bins, {
        x: "confidence",
        y1: "low",
        y2: "high",
        stroke: paint("ink"),
        strokeWidth: 1.5,
      }),
      dot(bins, {
        x: "confidence",
        y: "accuracy",
        r: 4.5,
        fill: paint("ink"),
        stroke: paint("paper"),
      }),
      text(bins, {
        x: "confidence",
        y: "accuracy",
        text: ({ count }) => String(count),
        dx: 8,
        dy: -8,
        textAnchor: "start",
        ...halo(),
        fill: paint("ink"),
      }),
    ],
  });
}
