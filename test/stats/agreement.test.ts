import fc from "fast-check";
import { expect, test } from "vitest";
import { cohenKappa, krippendorffAlpha, rawAgreement } from "../../src/stats/agreement.ts";

const options = { seed: 1, resamples: 500 };
const labels = fc.array(
  fc.tuple(fc.constantFrom("ACT", "ASK", "WAIT"), fc.constantFrom("ACT", "ASK", "WAIT")),
  {
    minLength: 2,
    maxLength: 30,
  },
);

/** Krippendorff 2011, example C: four observers, twelve units, a dot where one gave no rating. */
const OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
const UNITS = Array.from({ length: 12 }, (_, unit) =>
  OBSERVERS.map((ratings) => (ratings[unit] === "." ? null : (ratings[unit] ?? null))),
);

test("alpha is Krippendorff's own worked example: 0.743", () => {
  const { alpha, units, low, high } = krippendorffAlpha(UNITS, options);
  expect(alpha).toBeCloseTo(0.743421052631579, 12);
  expect(units).toBe(11); // The twelfth unit has one rating, which pairs with nothing.
  expect(low).toBeLessThan(alpha ?? 0);
  expect(high).toBeGreaterThan(alpha ?? 1);
});

test("alpha is Krippendorff's binary example: 0.095", () => {
  // Krippendorff 2011, section A: 10 units, 4 of them unequal, 14 zeros and 6 ones among 20 ratings:
  // 1 - 19 * 8 / (2 * 14 * 6) = 0.0952.
  const a = "0100000010";
  const b = "1110010000";
  const units = [...a].map((label, unit) => [label, b[unit] ?? null]);
  expect(krippendorffAlpha(units, options).alpha).toBeCloseTo(1 - (19 * 8) / (2 * 14 * 6), 12);
});

test("kappa is worked out by hand: 35 of 50 alike, half expected by chance", () => {
  // Both yes 20, both no 15, 5 and 10 mixed: po = 0.7, pe = 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
  const a = [...Array(25).fill("yes"), ...Array(25).fill("no")];
  const b = [
    ...Array(20).fill("yes"),
    ...Array(5).fill("no"),
    ...Array(10).fill("yes"),
    ...Array(15).fill("no"),
  ];
  expect(rawAgreement(a, b)).toEqual({ agreed: 35, counted: 50, share: 0.7 });
  expect(cohenKappa(a, b)).toBeCloseTo(0.4, 12);
});

test("perfect agreement is 1; one label throughout, or nothing, has no figure", () => {
  const mixed = ["ACT", "ASK", "ACT"];
  expect(cohenKappa(mixed, mixed)).toBe(1);
  expect(
    krippendorffAlpha(
      mixed.map((label) => [label, label]),
      options,
    ).alpha,
  ).toBe(1);
  expect(cohenKappa(["ACT", "ACT"], ["ACT", "ACT"])).toBeNull();
  expect(
    krippendorffAlpha(
      [
        ["ACT", "ACT"],
        ["ACT", "ACT"],
      ],
      options,
    ),
  ).toEqual({
    alpha: null,
    low: null,
    high: null,
    degenerate: false,
    units: 2,
    undefinedResamples: 500,
  });
  expect(cohenKappa([], [])).toBeNull();
  expect(rawAgreement([], []).share).toBeNull();
  expect(krippendorffAlpha([["ACT", null]], options)).toMatchObject({ alpha: null, units: 0 });
});

test("neither figure depends on the names of labels, the order of raters or of units", () => {
  fc.assert(
    fc.property(labels, (units) => {
      const a = units.map(([first]) => first);
      const b = units.map(([, second]) => second);
      const { alpha } = krippendorffAlpha(units, { seed: 1, resamples: 1 });
      const turned = units.map(([first, second]) => [`x${second}`, `x${first}`]).toReversed();
      const other = krippendorffAlpha(turned, { seed: 1, resamples: 1 }).alpha;
      expect(other ?? -9).toBeCloseTo(alpha ?? -9, 12);
      expect(cohenKappa(b.toReversed(), a.toReversed()) ?? -9).toBeCloseTo(
        cohenKappa(a, b) ?? -9,
        12,
      );
      expect(alpha ?? 0).toBeLessThanOrEqual(1);
      expect(cohenKappa(a, b) ?? 0).toBeGreaterThanOrEqual(-1);
    }),
  );
});

test("resamples of one label throughout are counted and left out of the interval", () => {
  const units = [
    ["ACT", "ACT"],
    ["ACT", "ACT"],
    ["ASK", "ASK"],
  ];
  const { undefinedResamples, low, high } = krippendorffAlpha(units, options);
  // (2/3)^3 + (1/3)^3 = a third of them.
  expect(undefinedResamples).toBeGreaterThan(120);
  expect(undefinedResamples).toBeLessThan(215);
  expect([low, high]).toEqual([1, 1]);
});
