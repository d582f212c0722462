import { LETTERS } from "../task/letters.ts";
import type { DecisionMetrics } from "./decision-metrics.ts";
import { decimal, percent, points, rateCells, renderTable } from "./table.ts";

/** The probability side of a run: losses, reliability table, letter bias. */
export function renderDecision(decision: DecisionMetrics): string {
  return [renderLosses(decision), renderReliability(decision), renderLetters(decision)].join("\n");
}

function renderLosses(decision: DecisionMetrics): string {
  const { logLoss, brier, calibration, letterMass, ties, nearTies, notFinite } = decision;
  const mean = logLoss.mean === "inf" ? "infinite" : decimal(logLoss.mean);
  const rest =
    logLoss.infinite > 0
      ? ` (${logLoss.infinite} gold labels had probability 0; the others: ${decimal(logLoss.finiteMean)})`
      : "";
  return [
    `negative log-likelihood: ${mean}${rest}`,
    `Brier score: ${decimal(brier)}`,
    `calibration error, ${calibration.bins.length} bins of equal width: ${decimal(calibration.ece)} over ${calibration.counted} picks`,
    `letter mass: mean ${percent(letterMass.mean)}, lowest ${percent(letterMass.lowest)}`,
    ...(isLow(letterMass.mean)
      ? [
          "warning: the letters hold little of the probability: the model would rather say something else",
        ]
      : []),
    `ties without a pick: ${ties}; near ties within ${nearTies.within} nats: ${nearTies.count}; not finite: ${notFinite}`,
    "",
  ].join("\n");
}

/** Below a half, the model's likeliest next token is more often no option at all. */
function isLow(mass: number | null): boolean {
  return mass !== null && mass < 0.5;
}

function renderReliability({ calibration }: DecisionMetrics): string {
  const rows = calibration.bins.filter(({ count }) => count > 0);
  if (rows.length === 0) return "";
  return renderTable(
    ["confidence", "picks", "mean", "right"],
    rows.map(({ low, high, count, confidence, accuracy }) => [
      `${decimal(low, 1)} to ${decimal(high, 1)}`,
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
