import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { brier, type Calibration, ece, negativeLogLikelihood } from "../stats/calibration.ts";
import { temper } from "../stats/temperature.ts";
import type { LabelProbabilities } from "../task/choice.ts";
import type { Decision } from "./decision.ts";

/** What the letter scores of one answer say of its labels, beside the label that is right. */
export interface Forecast {
  readonly gold: Label;
  /** Null for a tie or scores that are not finite. */
  readonly pick: Label | null;
  /** Averaged over the passes; null when a score is not finite. */
  readonly probabilities: LabelProbabilities | null;
  /** Natural logarithm of the gold label's probability; NaN without probabilities. */
  readonly goldLog: number;
}

/** The forecast that a decision makes. */
export function forecastOf(gold: Label, { probabilities, pick }: Decision): Forecast {
  const goldLog = probabilities === null ? Number.NaN : Math.log(probabilities[gold]);
  return { gold, pick: pick.label, probabilities, goldLog };
}

/**
 * A forecast at a temperature. The pick is taken over: a temperature keeps the order of
 * probabilities, but far ones may round to equal numbers.
 */
export function temperForecast(forecast: Forecast, temperature: number): Forecast {
  const { gold, probabilities } = forecast;
  if (probabilities === null) return forecast;
  const logs = temper(
    LABELS.map((label) => probabilities[label]),
    temperature,
  );
  const logOf = (label: Label) => logs[LABELS.indexOf(label)] ?? Number.NaN;
  return {
    ...forecast,
    probabilities: byLabel((label) => Math.exp(logOf(label))),
    goldLog: logOf(gold),
  };
}

/** How good forecasts are as probabilities. */
export interface ForecastFigures {
  readonly logLoss: {
    /** Mean -ln of the gold label's probability; `"inf"` once a gold label had probability 0. */
    readonly mean: number | "inf" | null;
    /** Answers whose gold label had probability 0. */
    readonly infinite: number;
    /** Mean over the other answers. */
    readonly finiteMean: number | null;
  };
  /** 0 (perfect) to 2. */
  readonly brier: number | null;
  /** Of the pick's probability; ties have no pick and are left out. */
  readonly calibration: {
    /** How many bins were asked for; equal probabilities can leave fewer of equal mass. */
    readonly bins: number;
    readonly equalWidth: Calibration;
    readonly equalMass: Calibration;
  };
}

/** Bins of the expected calibration error. */
export const CALIBRATION_BINS = 10;

/** Losses and calibration; answers without probabilities are left out. */
export function forecastFigures(forecasts: readonly Forecast[]): ForecastFigures {
  const scored = forecasts.flatMap(({ probabilities, ...rest }) =>
    probabilities === null ? [] : [{ ...rest, probabilities }],
  );
  const { mean, infinite, finiteMean } = negativeLogLikelihood(
    scored.map(({ goldLog }) => goldLog),
  );
  const picked = scored.flatMap(({ gold, pick, probabilities }) =>
    pick === null ? [] : [{ p: probabilities[pick], right: pick === gold ? 1 : 0 }],
  );
  const p = picked.map((each) => each.p);
  const right = picked.map((each) => each.right);
  const bins = CALIBRATION_BINS;
  return {
    logLoss: { mean: mean === Number.POSITIVE_INFINITY ? "inf" : mean, infinite, finiteMean },
    brier: brier(
      scored.map(({ probabilities }) => LABELS.map((label) => probabilities[label])),
      scored.map(({ gold }) => LABELS.indexOf(gold)),
    ),
    calibration: {
      bins,
      equalWidth: ece({ p, right, bins, binning: "equal_width" }),
      equalMass: ece({ p, right, bins, binning: "equal_mass" }),
    },
  };
}
