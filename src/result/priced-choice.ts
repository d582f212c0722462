import type { Label } from "../core/intervention.ts";
import { bestChoice, breakEven } from "../task/choice.ts";
import { classify, type Outcome } from "../task/outcome.ts";
import type { Scheme } from "../task/scheme.ts";
import type { Forecast } from "./forecast.ts";
import { meanReward } from "./mean-reward.ts";
import { type Rate, rateOf } from "./rate.ts";

/** What choosing labels by some rule comes to. A choice that ties is none, and is unreadable. */
export interface ChoiceFigures {
  readonly accuracy: Rate;
  readonly prematureAction: Rate;
  readonly missedAction: Rate;
  /** Answers without a choice: a tie, or scores that are not finite. */
  readonly noChoice: number;
  /** Answers for which the choice is not the likeliest label. */
  readonly changed: number;
  /** Mean reward by scheme name; null without answers. */
  readonly rewards: Readonly<Record<string, number | null>>;
}

/** The likeliest label, and the label that each scheme's prices choose from the same probabilities. */
export interface PricedChoices {
  readonly likeliest: ChoiceFigures;
  /** By the name of the scheme whose expected reward is highest for the label chosen. */
  readonly priced: Readonly<Record<string, ChoiceFigures>>;
  /**
   * By scheme name: the probability of ACT from which acting pays, against one rival label; null
   * where a scheme's prices give no such point.
   */
  readonly breakEven: Readonly<Record<string, number | null>>;
}

/** Chooses by each rule and counts what becomes of it under each scheme. */
export function pricedChoices(
  forecasts: readonly Forecast[],
  schemes: readonly Scheme[],
): PricedChoices {
  const byScheme = <T>(make: (scheme: Scheme) => T): Record<string, T> =>
    Object.fromEntries(schemes.map((scheme) => [scheme.name, make(scheme)]));
  const choicesBy = (choose: (forecast: Forecast) => Label | null) =>
    choiceFigures(
      forecasts.map((forecast) => ({ ...forecast, choice: choose(forecast) })),
      schemes,
    );
  return {
    likeliest: choicesBy(({ pick }) => pick),
    priced: byScheme((scheme) =>
      choicesBy(({ probabilities }) => probabilities && bestChoice(scheme, probabilities)),
    ),
    breakEven: byScheme(breakEvenPoint),
  };
}

function breakEvenPoint(scheme: Scheme): number | null {
  const point = breakEven(scheme);
  const { correct, missed_act } = scheme.prices;
  return point >= 0 && point <= 1 && correct >= missed_act ? point : null;
}

function choiceFigures(
  items: readonly (Forecast & { readonly choice: Label | null })[],
  schemes: readonly Scheme[],
): ChoiceFigures {
  const outcomes = items.map(({ gold, choice }) => ({ gold, outcome: classify(gold, choice) }));
  const share = (outcome: Outcome, among?: (gold: Label) => boolean) =>
    rateOf(
      outcomes,
      (item) => item.outcome === outcome,
      ({ gold }) => among?.(gold) ?? true,
    );
  const all = outcomes.map(({ outcome }) => outcome);
  return {
    accuracy: share("correct"),
    prematureAction: share("premature_act", (gold) => gold !== "ACT"),
    missedAction: share("missed_act", (gold) => gold === "ACT"),
    noChoice: items.filter(({ choice }) => choice === null).length,
    changed: items.filter(({ choice, pick }) => choice !== pick).length,
    rewards: Object.fromEntries(schemes.map((scheme) => [scheme.name, meanReward(all, scheme)])),
  };
}
