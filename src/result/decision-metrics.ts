import type { Scheme } from "../task/scheme.ts";
import { type Decision, NEAR_TIE, readDecision } from "./decision.ts";
import { type ForecastFigures, forecastFigures, forecastOf, temperForecast } from "./forecast.ts";
import { type LetterBias, letterBias } from "./letter-bias.ts";
import { type PricedChoices, pricedChoices } from "./priced-choice.ts";
import type { RunTemperature } from "./run-temperature.ts";
import type { ScoredAnswer } from "./scored.ts";

/** What only letter scores show: how sure the arm is, and how far letters sway it. */
export interface DecisionMetrics extends ForecastFigures {
  /** What each scheme's prices would choose from the same probabilities. */
  readonly choices: PricedChoices;
  /** The same figures at a temperature fitted on train traces; null unless asked for. */
  readonly tempered: TemperedMetrics | null;
  /** Share of the full vocabulary's probability on the five letters, over all passes. */
  readonly letterMass: {
    readonly mean: number | null;
    readonly lowest: number | null;
    /** Whether the mean is below {@link LOW_LETTER_MASS}. */
    readonly isLow: boolean;
  };
  /** Answers without a pick because the highest probability is shared. */
  readonly ties: number;
  /** Picks whose lead, in nats, is below `within`. */
  readonly nearTies: { readonly count: number; readonly within: number };
  /** Answers without a pick because a pass has a NaN or no finite score. */
  readonly notFinite: number;
  /** Single letter scores that are not finite, an impossible letter (-Infinity) included. */
  readonly nonFiniteScores: number;
  readonly letterBias: LetterBias;
}

/** Figures that a temperature changes. Accuracy is none of them: it keeps every pick. */
export interface TemperedMetrics extends ForecastFigures {
  readonly temperature: RunTemperature;
  readonly choices: PricedChoices;
}

/** Below a half, the model's likeliest next token is more often no option at all. */
export const LOW_LETTER_MASS = 0.5;

/** The probability side of decisions. */
export function decisionMetrics(
  answers: readonly ScoredAnswer[],
  schemes: readonly Scheme[],
  temperature: RunTemperature | null = null,
): DecisionMetrics {
  const items = answers.flatMap(({ gold, passes }) =>
    passes === null ? [] : [{ gold, passes, decision: readDecision(passes) }],
  );
  const forecasts = items.map(({ gold, decision }) => forecastOf(gold, decision));
  const measure = (list: typeof forecasts) => {
    return { ...forecastFigures(list), choices: pricedChoices(list, schemes) };
  };
  const passes = items.flatMap((item) => item.passes);
  const hasReason = (reason: string) => (item: { readonly decision: Decision }) =>
    item.decision.pick.label === null && item.decision.pick.reason === reason;
  return {
    ...measure(forecasts),
    tempered: temperature && {
      temperature,
      ...measure(forecasts.map((each) => temperForecast(each, temperature.temperature))),
    },
    letterMass: letterMass(passes.map((pass) => pass.letterMass)),
    ties: items.filter(hasReason("tie")).length,
    nearTies: {
      count: items.filter(({ decision }) => decision.isNearTie).length,
      within: NEAR_TIE,
    },
    notFinite: items.filter(hasReason("not_finite")).length,
    nonFiniteScores: passes
      .flatMap(({ logprobs }) => logprobs)
      .filter((value) => !Number.isFinite(value)).length,
    letterBias: letterBias(items),
  };
}

function letterMass(all: readonly number[]): DecisionMetrics["letterMass"] {
  const masses = all.filter(Number.isFinite);
  if (masses.length === 0) return { mean: null, lowest: null, isLow: false };
  const mean = masses.reduce((a, b) => a + b, 0) / masses.length;
  const lowest = masses.reduce((a, b) => Math.min(a, b));
  return { mean, lowest, isLow: mean < LOW_LETTER_MASS };
}
