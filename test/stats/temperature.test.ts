import fc from "fast-check";
import { expect, test } from "vitest";
import { softmax } from "../../src/stats/calibration.ts";
import { fitTemperature, TEMPERATURE_RANGE, temper } from "../../src/stats/temperature.ts";

const tempered = (p: readonly number[], temperature: number) =>
  temper(p, temperature).map((log) => Math.exp(log));

const temperatures = fc.double({ min: TEMPERATURE_RANGE.least, max: 100, noNaN: true });
const distribution = fc
  .array(fc.integer({ min: -80, max: 0 }), { minLength: 5, maxLength: 5 })
  .map((tenths) => softmax(tenths.map((score) => score / 10)));
const items = fc.array(fc.tuple(distribution, fc.integer({ min: 0, max: 4 })), {
  minLength: 1,
  maxLength: 30,
});

const fitTo = (list: readonly (readonly [readonly number[], number])[]) =>
  fitTemperature(
    list.map(([p]) => p),
    list.map(([, gold]) => gold),
  );

test("a temperature of 2 takes square roots, one of a half squares, 1 changes nothing", () => {
  const roots = [Math.sqrt(0.64), Math.sqrt(0.36), 0];
  tempered([0.64, 0.36, 0], 2).forEach((p, k) => {
    expect(p).toBeCloseTo((roots[k] ?? -1) / 1.4, 14);
  });
  tempered([0.75, 0.25], 0.5).forEach((p, k) => {
    expect(p).toBeCloseTo([0.9, 0.1][k] ?? -1, 14);
  });
  tempered([0.2, 0.5, 0.3], 1).forEach((p, k) => {
    expect(p).toBeCloseTo([0.2, 0.5, 0.3][k] ?? -1, 14);
  });
});

test("a temperature keeps the order of probabilities, equal ones included, and their sum", () => {
  fc.assert(
    fc.property(distribution, temperatures, (p, temperature) => {
      const logs = temper(p, temperature);
      p.forEach((a, i) => {
        p.forEach((b, j) => {
          expect(Math.sign((logs[i] ?? 0) - (logs[j] ?? 0))).toBe(Math.sign(a - b));
        });
      });
      const sum = logs.reduce((total, log) => total + Math.exp(log), 0);
      expect(sum).toBeCloseTo(1, 12);
      for (const log of logs) expect(log).toBeLessThanOrEqual(0);
    }),
  );
});

test("only a probability of 0 becomes impossible, however low the temperature", () => {
  const logs = temper([1 - 1e-9, 1e-9, 0], 0.01);
  expect(logs[1]).toBeCloseTo(100 * Math.log(1e-9 / (1 - 1e-9)), 6);
  expect(logs[2]).toBe(Number.NEGATIVE_INFINITY);
});

test("finds the temperature at which probabilities are the shares that were observed", () => {
  const shares = [0.5, 0.3, 0.1, 0.1];
  const golds = [0, 0, 0, 0, 0, 1, 1, 1, 2, 3];
  for (const temperature of [0.05, 0.5, 1, 2, 20]) {
    const given = tempered(shares, 1 / temperature);
    const found = fitTo(golds.map((gold) => [given, gold] as const));
    expect(found).toMatchObject({ stop: "minimum", counted: 10, impossible: 0 });
    expect(found.temperature / temperature).toBeCloseTo(1, 8);
    const entropy = shares.reduce((sum, p) => sum - p * Math.log(p), 0);
    expect(found.lossAfter).toBeCloseTo(entropy, 9);
  }
});

test("labels without probability that are not gold stand in nobody's way", () => {
  const p = [0.7, 0.3, 0];
  const { temperature, counted } = fitTo([
    [p, 0],
    [p, 0],
    [p, 1],
  ]);
  expect(counted).toBe(3);
  // (7/3)^(1/T) = 2
  expect(temperature).toBeCloseTo(Math.log(7 / 3) / Math.log(2), 8);
});

test("no temperature fits better, and one already applied is taken off again", () => {
  fc.assert(
    fc.property(items, temperatures, (list, other) => {
      const found = fitTo(list);
      const loss = list.reduce((sum, [p, gold]) => sum - (temper(p, other)[gold] ?? 0), 0);
      expect(found.lossAfter).toBeLessThanOrEqual(loss / list.length + 1e-9);
      expect(found.lossAfter).toBeLessThanOrEqual(found.lossBefore + 1e-12);
      if (found.stop !== "minimum" || found.temperature < 0.1 || found.temperature > 10) return;
      const warmer = fitTo(list.map(([p, gold]) => [tempered(p, 2), gold] as const));
      expect(warmer.temperature * 2).toBeCloseTo(found.temperature, 4);
    }),
  );
});

test("gives the same bits again, and the same temperature whatever the order of items", () => {
  fc.assert(
    fc.property(items, (list) => {
      const found = fitTo(list);
      expect(fitTo(list)).toEqual(found);
      expect(fitTo(list.toReversed()).stop).toBe(found.stop);
      expect(fitTo(list.toReversed()).temperature / found.temperature).toBeCloseTo(1, 6);
    }),
  );
});

test("says when the fit ends at a bound, or when every temperature fits alike", () => {
  const { least, most } = TEMPERATURE_RANGE;
  const sure = [0.6, 0.4];
  expect(fitTo([[sure, 0]])).toMatchObject({ stop: "lower_bound", temperature: least });
  expect(fitTo([[sure, 1]])).toMatchObject({ stop: "upper_bound", temperature: most });
  // So sure and right that the slope underflows to 0: still the bound, not a minimum.
  expect(fitTo([[[1, 1e-300], 0]])).toMatchObject({ stop: "lower_bound", temperature: least });
  for (const even of [
    [0.25, 0.25, 0.25, 0.25],
    [0.5, 0, 0.5, 0],
    [1, 0, 0, 0],
  ]) {
    const found = fitTo([[even, 0]]);
    expect(found).toMatchObject({ stop: "flat", temperature: 1, counted: 1 });
    expect(found.lossAfter).toBe(found.lossBefore);
  }
});

test("leaves out and counts items that give their gold label no probability", () => {
  const found = fitTo([
    [[0.5, 0.5, 0], 2],
    [[0.7, 0.2, 0.1], 0],
    [[0.7, 0.2, 0.1], 1],
  ]);
  expect(found).toMatchObject({ stop: "minimum", counted: 2, impossible: 1 });
  expect(() => fitTo([[[0, 1], 0]])).toThrow(/none of 1 items gives its gold label/);
  expect(() => fitTo([])).toThrow(/none of 0 items/);
});

test("refuses what is no distribution, no position and no temperature", () => {
  expect(() => fitTo([[[0.5, 0.6], 0]])).toThrow(/probabilities\[0\] must sum to 1/);
  expect(() => fitTo([[[0.5, 0.5], 2]])).toThrow(/gold\[0\]/);
  expect(() => fitTemperature([[1]], [])).toThrow(/aligned/);
  for (const temperature of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => temper([1], temperature)).toThrow(/must be above 0/);
  }
});
