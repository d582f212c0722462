import type { Calibration } from "../stats/calibration.ts";
import { LETTERS } from "../task/letters.ts";
import type { DecisionMetrics } from "./decision-metrics.ts";
import type { ForecastFigures } from "./forecast.ts";
import { renderChoices } from "./render-choices.ts";
import { renderTemperature, temperatureText } from "./render-temperature.ts";
import { decimal, percent, points, rateCells, renderTable } from "./table.ts";

/** The probability side of a run: losses, calibration, letters, and what prices would choose. */
export function renderDecision(decision: DecisionMetrics): string {
  return [
    `${renderForecasts(decision)}${renderNotes(decision)}`,
    ...columnsOf(decision).flatMap(renderReliability),
    renderLetters(decision),
    renderChoices(decision),
  ].join("\n");
}

/** Raw figures, and beside them the ones at a temperature. */
interface Column {
  readonly name: string;
  readonly figures: ForecastFigures;
}

function columnsOf(decision: DecisionMetrics): Column[] {
  const { tempered } = decision;
  const raw = { name: "raw", figures: decision };
  if (!tempered) return [raw];
  return [raw, { name: temperatureText(tempered.temperature), figures: tempered }];
}

function renderForecasts(decision: DecisionMetrics): string {
  const columns = columnsOf(decision);
  const { bins } = decision.calibration;
  const row = (name: string, cell: (figures: ForecastFigures) => string) => [
    name,
    ...columns.map(({ figures }) => cell(figures)),
  ];
  const rows = [
    row("negative log-likelihood", ({ logLoss: { mean } }) =>
      mean === "inf" ? "infinite" : decimal(mean),
    ),
    ...(decision.logLoss.infinite > 0
      ? [row("without the infinite ones", ({ logLoss }) => decimal(logLoss.finiteMean))]
      : []),
    row("Brier score", ({ brier }) => decimal(brier)),
    row(`calibration error, ${bins} bins of equal width`, ({ calibration }) =>
      decimal(calibration.equalWidth.ece),
    ),
    row(`calibration error, ${bins} bins of equal mass`, ({ calibration }) =>
      decimal(calibration.equalMass.ece),
    ),
  ];
  return renderTable(["probabilities", ...columns.map(({ name }) => name)], rows);
}

function renderNotes(decision: DecisionMetrics): string {
  const { logLoss, letterMass, ties, nearTies, notFinite, tempered } = decision;
  return [
    ...(logLoss.infinite > 0 ? [`${logLoss.infinite} gold labels had probability 0`] : []),
    ...(tempered ? renderTemperature(tempered.temperature) : []),
    `letter mass: mean ${percent(letterMass.mean)}, lowest ${percent(letterMass.lowest)}`,
    ...(letterMass.isLow
      ? [
          "warning: the letters hold little of the probability: the model would rather say something else",
        ]
      : []),
    `ties without a pick: ${ties}; near ties within ${nearTies.within} nats: ${nearTies.count}; not finite: ${notFinite}`,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function renderReliability({ name, figures }: Column): string[] {
  const { bins, equalWidth, equalMass } = figures.calibration;
  if (equalWidth.counted === 0) return [];
  const picks = `${equalWidth.counted} picks`;
  return [
    `reliability of ${picks}, ${name}, ${bins} bins of equal width:\n${reliabilityTable(equalWidth, 1)}`,
    `reliability of ${picks}, ${name}, ${bins} bins of equal mass:\n${reliabilityTable(equalMass, 3)}`,
  ];
}

/** @param decimals that tell a bin's ends apart */
function reliabilityTable({ bins }: Calibration, decimals: number): string {
  return renderTable(
    ["confidence", "picks", "mean", "right"],
    bins
      .filter(({ count }) => count > 0)
      .map(({ low, high, count, confidence, accuracy }) => [
        `${decimal(low, decimals)} to ${decimal(high, decimals)}`,
        String(count),
        percent(confidence),
        percent(accuracy),
      ]),
  );
}

function renderLetters({ letterBias: { letters, farthest } }: DecisionMetrics): string {
  const table = renderTable(
    ["letter", "picked", "counts", "95% interval", "gold"],
    LETTERS.map((letter) => {
      const { picked, gold } = letters[letter];
      return [letter, ...rateCells(picked), percent(gold.value)];
    }),
  );
  return `${table}farthest from an even fifth of picks: ${points(farthest)} points\n`;
}
