import fc from "fast-check";
import { expect, test } from "vitest";
import type { Classifier } from "../../src/stats/classifier.ts";
import { crossValidate, familyFolds } from "../../src/stats/cross-validate.ts";
import { fitNaiveBayes, predictNaiveBayes } from "../../src/stats/naive-bayes.ts";

const bayes: Classifier = (train, documents) => predictNaiveBayes(fitNaiveBayes(train), documents);

test("C07: five equal families and five folds give one family each", () => {
  for (const size of [1, 2, 5, 10]) {
    const families = Array.from({ length: 5 * size }, (_, row) => `f${row % 5}`);
    const folds = familyFolds(families, 5);
    expect(new Set(folds).size).toBe(5);
    families.forEach((family, row) => {
      expect(folds[row]).toBe(folds[families.indexOf(family)]);
    });
  }
});

test("families stay whole, no fold is empty, and sizes differ by at most the largest family", () => {
  const families = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(families, fc.integer({ min: 2, max: 6 }), (numbers, count) => {
      const names = numbers.map((n) => `family-${n}`);
      fc.pre(new Set(names).size >= count);
      const folds = familyFolds(names, count);
      const rows = Array.from({ length: count }, (_, f) => folds.filter((x) => x === f).length);
      const sizes = names.map((name) => names.filter((other) => other === name).length);
      expect(Math.min(...rows)).toBeGreaterThan(0);
      expect(Math.max(...rows) - Math.min(...rows)).toBeLessThanOrEqual(Math.max(...sizes));
      expect(new Set(names.map((name, row) => `${name} ${folds[row]}`)).size).toBe(
        new Set(names).size,
      );
      expect(familyFolds(names.toReversed(), count)).toEqual(folds.toReversed());
    }),
  );
});

test("a large family is placed first, so that small ones can make up for it", () => {
  for (const big of ["a", "b", "c", "d", "e", "f"]) {
    const families = [...Array(4).fill(big), "w", "x", "y", "z"];
    const folds = familyFolds(families, 2);
    expect(folds.filter((fold) => fold === 0)).toHaveLength(4);
  }
});

test("fewer families than folds is an error, not an empty fold", () => {
  expect(() => familyFolds(["a", "a", "b"], 3)).toThrow(/3 folds need at least 3 families/);
  expect(() => familyFolds(["a", "b"], 1)).toThrow(/folds/);
});

test("a word that gives the label away is found, one that only names the family is not", () => {
  const rows = Array.from({ length: 60 }, (_, row) => ({
    family: `f${Math.floor(row / 2)}`,
    label: row % 2,
  }));
  const labels = rows.map(({ label }) => label);
  const families = rows.map(({ family }) => family);
  const leaky = rows.map(({ label, family }) => [family, label ? "now" : "later"]);
  const found = crossValidate({ documents: leaky, labels, classes: 2 }, bayes, { families });
  expect(found).toMatchObject({ right: 60, counted: 60, accuracy: 1, ties: 0 });
  // Its own word decides nothing for a family that was held out, and equal counts tie.
  const own = rows.map(({ family }) => [family]);
  const none = crossValidate({ documents: own, labels, classes: 2 }, bayes, { families });
  expect(none).toMatchObject({ right: 0, ties: 60 });
  expect(none.predictions).toEqual(Array(60).fill(null));
});

test("each fold is predicted by a classifier that never saw its families", () => {
  const families = Array.from({ length: 30 }, (_, row) => `f${row % 7}`);
  const documents = families.map((family, row) => [family, `row ${row}`]);
  const labels = families.map((_, row) => row % 3);
  const seen: string[] = [];
  const spy: Classifier = (train, held) => {
    const known = new Set(train.documents.map(([family]) => family));
    for (const [family, row] of held) {
      expect(known.has(family)).toBe(false);
      seen.push(row ?? "");
    }
    return bayes(train, held);
  };
  const progress: number[] = [];
  crossValidate({ documents, labels, classes: 3 }, spy, {
    families,
    folds: 4,
    onProgress: (done, total) => progress.push(done / total),
  });
  expect(seen.sort()).toEqual(documents.map(([, row]) => row).sort());
  expect(progress).toEqual([0.25, 0.5, 0.75, 1]);
});
