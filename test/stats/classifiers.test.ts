import { expect, test } from "vitest";
import { fitLogistic, predictLogistic } from "../../src/stats/logistic.ts";
import { fitNaiveBayes, predictNaiveBayes } from "../../src/stats/naive-bayes.ts";

const CHINA = {
  documents: [
    ["Chinese", "Beijing", "Chinese"],
    ["Chinese", "Chinese", "Shanghai"],
    ["Chinese", "Macao"],
    ["Tokyo", "Japan", "Chinese"],
  ],
  labels: [0, 0, 0, 1],
  classes: 2,
};
const LETTERS = {
  documents: [["a", "b"], ["a", "c"], ["b", "b", "c"], ["c"], ["d", "a"], ["d"]],
  labels: [0, 1, 2, 1, 0, 2],
  classes: 3,
};
const ASKED = [["Chinese", "Chinese", "Chinese", "Tokyo", "Japan"]];

test("naive Bayes gives the textbook's worked example", () => {
  // Manning, Raghavan and Schütze, example 13.1, with priors (3 + 1) / (4 + 2) and (1 + 1) / (4 + 2):
  // 4/6 * (6/14)^3 * 1/14 * 1/14 against 2/6 * (2/9)^3 * 2/9 * 2/9.
  const china = (4 / 6) * (3 / 7) ** 3 * (1 / 14) ** 2;
  const japan = (2 / 6) * (2 / 9) ** 5;
  const [scores] = predictNaiveBayes(fitNaiveBayes(CHINA), ASKED);
  expect(scores?.logPosteriors[0]).toBeCloseTo(Math.log(china), 12);
  expect(scores?.logPosteriors[1]).toBeCloseTo(Math.log(japan), 12);
  expect(scores?.probabilities[0]).toBeCloseTo(china / (china + japan), 12);
});

test("both are plain data, and a stored model predicts the same", () => {
  const bayes = fitNaiveBayes(CHINA);
  expect(predictNaiveBayes(JSON.parse(JSON.stringify(bayes)), ASKED)).toEqual(
    predictNaiveBayes(bayes, ASKED),
  );
  const logistic = fitLogistic(CHINA);
  expect(predictLogistic(JSON.parse(JSON.stringify(logistic)), ASKED)).toEqual(
    predictLogistic(logistic, ASKED),
  );
});

test("naive Bayes does not depend on the order of documents", () => {
  const reversed = {
    ...CHINA,
    documents: CHINA.documents.toReversed(),
    labels: CHINA.labels.toReversed(),
  };
  expect(fitNaiveBayes(reversed)).toEqual(fitNaiveBayes(CHINA));
});

test("a class without documents stays possible, unlikely and finite", () => {
  const [scores] = predictNaiveBayes(fitNaiveBayes({ ...CHINA, classes: 3 }), [["Beijing"]]);
  expect(scores?.probabilities[2]).toBeGreaterThan(0);
  expect(scores?.probabilities[2]).toBeLessThan(scores?.probabilities[0] ?? 0);
});

test("unknown tokens, and names that objects inherit, say nothing", () => {
  for (const tokens of [[], ["constructor", "__proto__", "toString"]]) {
    const [bayes] = predictNaiveBayes(fitNaiveBayes(CHINA), [tokens]);
    expect(bayes?.probabilities[0]).toBeCloseTo(4 / 6, 12);
    const [logistic] = predictLogistic(fitLogistic(CHINA), [tokens]);
    expect(logistic?.probabilities.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  }
});

test("logistic regression reaches scikit-learn's optimum", () => {
  // scikit-learn 1.9.1, LogisticRegression(C=1 / 0.3, tol=1e-12) on rows scaled to length 1.
  const model = fitLogistic(LETTERS, { penalty: 0.3 });
  expect(model.converged).toBe(true);
  const predicted = predictLogistic(model, [
    ["a", "b"],
    ["d", "c"],
  ]);
  const expected = [
    [0.6445441868780315, 0.13334670733826928, 0.2221091057836991],
    [0.12564906382911856, 0.39975657176802765, 0.4745943644028537],
  ];
  predicted.forEach(({ probabilities }, at) => {
    probabilities.forEach((p, k) => {
      expect(p).toBeCloseTo(expected[at]?.[k] ?? -1, 4);
    });
  });
});

test("the biases are not penalised: each class is predicted as often as it occurs", () => {
  const scores = predictLogistic(fitLogistic(LETTERS, { penalty: 100 }), LETTERS.documents);
  for (let label = 0; label < 3; label++) {
    const expected = scores.reduce(
      (sum, { probabilities }) => sum + (probabilities[label] ?? 0),
      0,
    );
    expect(expected).toBeCloseTo(2, 4);
  }
});

test("a larger penalty gives smaller weights", () => {
  const size = (penalty: number) =>
    fitLogistic(CHINA, { penalty })
      .weights.flat()
      .reduce((sum, w) => sum + w * w, 0);
  expect(size(10)).toBeLessThan(size(1));
  expect(size(1)).toBeLessThan(size(0.01));
});

test("both refuse examples that cannot be fitted", () => {
  for (const learn of [fitNaiveBayes, fitLogistic]) {
    expect(() => learn({ documents: [], labels: [], classes: 2 })).toThrow(/needs documents/);
    expect(() => learn({ ...CHINA, labels: [0, 0, 0, 2] })).toThrow(/labels\[3\]/);
    expect(() => learn({ ...CHINA, labels: [0] })).toThrow(/aligned: 4 and 1/);
  }
  expect(() => fitNaiveBayes(CHINA, { alpha: 0 })).toThrow(/alpha/);
  expect(() => fitLogistic(CHINA, { penalty: Number.NaN })).toThrow(/penalty/);
});
