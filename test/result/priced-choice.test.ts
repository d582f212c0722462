import fc from "fast-check";
import { expect, test } from "vitest";
import { byLabel, LABELS, type Label } from "../../src/core/intervention.ts";
import { type LetterPass, readDecision } from "../../src/result/decision.ts";
import { type Forecast, forecastOf, temperForecast } from "../../src/result/forecast.ts";
import { pricedChoices } from "../../src/result/priced-choice.ts";
import { bestChoice } from "../../src/task/choice.ts";
import { SCHEMES, withPrices } from "../../src/task/scheme.ts";

const BUILT_IN = [SCHEMES.symmetric, SCHEMES.asymmetric];

/** Letters in label order, so that positions are labels. */
function forecast(gold: Label, probabilities: readonly number[]): Forecast {
  const pass: LetterPass = { offset: 0, logprobs: probabilities.map(Math.log), letterMass: 1 };
  return forecastOf(gold, readDecision([pass]));
}

// Halves of a nat, so that ties are hit often; enough for two labels to differ at any temperature.
const scores = fc.array(fc.integer({ min: -6, max: 0 }), { minLength: 5, maxLength: 5 });
const forecasts = fc.array(
  fc.tuple(fc.constantFrom(...LABELS), scores).map(([gold, halves]) =>
    forecast(
      gold,
      halves.map((half) => Math.exp(half / 2)),
    ),
  ),
  { minLength: 1, maxLength: 20 },
);
const temperatures = fc.double({ min: 0.05, max: 100, noNaN: true });

test("a temperature changes no pick, so that accuracy and both action rates stay", () => {
  fc.assert(
    fc.property(forecasts, temperatures, (list, temperature) => {
      const tempered = list.map((each) => temperForecast(each, temperature));
      expect(pricedChoices(tempered, BUILT_IN).likeliest).toEqual(
        pricedChoices(list, BUILT_IN).likeliest,
      );
      // Not only because the pick is taken over: picking anew gives the same, ties included.
      expect(pricedChoices(tempered, BUILT_IN).priced["symmetric"]).toMatchObject({ changed: 0 });
    }),
  );
});

test("under equal prices for every mistake, the likeliest label is the choice, ties included", () => {
  const flat = withPrices(SCHEMES.symmetric, { wrong: 0.1, premature_act: 0.1, missed_act: 0.1 });
  fc.assert(
    fc.property(forecasts, (list) => {
      for (const scheme of [SCHEMES.symmetric, { ...flat, name: "flat" }]) {
        const { priced, likeliest } = pricedChoices(list, [scheme]);
        expect(priced[scheme.name]).toEqual(likeliest);
      }
    }),
  );
});

test("B31: labels that earn the same parts in another order tie, whatever the rounding", () => {
  const uneven = withPrices(SCHEMES.asymmetric, { wrong: -0.3, correct: 0.7 });
  fc.assert(
    fc.property(scores, (halves) => {
      const weights = halves.map((half) => Math.exp(half / 2));
      const total = weights.reduce((a, b) => a + b, 0);
      const p = byLabel((label) => (weights[LABELS.indexOf(label)] ?? 0) / total);
      const choice = bestChoice(uneven, p);
      if (choice === null || choice === "ACT") return;
      for (const rival of LABELS) {
        if (rival !== choice && rival !== "ACT") expect(p[rival]).toBeLessThan(p[choice]);
      }
    }),
  );
});

test("a tie at the top is no choice: unreadable, and paid as such", () => {
  const tied = forecast("ASK", [0.1, 0.35, 0.35, 0.1, 0.1]);
  const { likeliest, priced } = pricedChoices([tied], BUILT_IN);
  for (const figures of [likeliest, priced["symmetric"], priced["asymmetric"]]) {
    expect(figures).toMatchObject({ noChoice: 1, changed: 0, accuracy: { numerator: 0 } });
    expect(figures?.rewards).toEqual({ symmetric: -0.1, asymmetric: -0.5 });
  }
});

test("prices part what probabilities tie, when one of the two is ACT", () => {
  const tied = forecast("ASK", [0.4, 0.4, 0.1, 0.05, 0.05]);
  const { likeliest, priced } = pricedChoices([tied], BUILT_IN);
  expect(likeliest.noChoice).toBe(1);
  expect(priced["symmetric"]?.noChoice).toBe(1);
  expect(priced["asymmetric"]).toMatchObject({ noChoice: 0, changed: 1 });
  expect(priced["asymmetric"]?.accuracy.numerator).toBe(1);
});

test("prices that fear acting never choose it where the likeliest label is another", () => {
  fc.assert(
    fc.property(forecasts, (list) => {
      const { likeliest, priced } = pricedChoices(list, BUILT_IN);
      const careful = priced["asymmetric"];
      const premature = careful?.prematureAction.numerator ?? 0;
      expect(premature).toBeLessThanOrEqual(likeliest.prematureAction.numerator);
    }),
  );
});

test("scores that are not finite have no choice under any rule", () => {
  const pass: LetterPass = { offset: 0, logprobs: Array(5).fill(Number.NaN), letterMass: 1 };
  const broken = forecastOf("ACT", readDecision([pass]));
  expect(temperForecast(broken, 2)).toEqual(broken);
  const { likeliest, priced } = pricedChoices([broken], BUILT_IN);
  expect(likeliest.noChoice).toBe(1);
  expect(priced["asymmetric"]?.noChoice).toBe(1);
});

test("nothing to choose has no reward, and prices without a break-even point have none", () => {
  expect(pricedChoices([], BUILT_IN).likeliest.rewards).toEqual({
    symmetric: null,
    asymmetric: null,
  });
  const point = (prices: Parameters<typeof withPrices>[1]) =>
    pricedChoices([], [withPrices(SCHEMES.symmetric, prices)]).breakEven["symmetric"];
  expect(point({})).toBe(0.5);
  expect(point({ premature_act: 1, missed_act: 1 })).toBeNull();
  expect(point({ premature_act: 2 })).toBeNull();
  expect(point({ premature_act: 2, missed_act: 2 })).toBeNull();
});
