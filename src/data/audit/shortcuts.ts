import { LABELS } from "../../core/intervention.ts";
import type { Classifier, Examples } from "../../stats/classifier.ts";
import { crossValidate, familyFolds } from "../../stats/cross-validate.ts";
import { fitLogistic, predictLogistic } from "../../stats/logistic.ts";
import { fitNaiveBayes, predictNaiveBayes } from "../../stats/naive-bayes.ts";
import { wilson } from "../../stats/wilson.ts";
import { pauseAt } from "../pause.ts";
import type { AuditCheck } from "./check.ts";
import { FEATURES, predictByFeature } from "./stumps.ts";
import { type TextRow, VIEWS, type View } from "./text-rows.ts";
import { examplesOf } from "./tokens.ts";

/** Families are dealt into this many folds; with fewer families nothing is cross-validated. */
export const FOLDS = 5;

/** How far above the most frequent label a baseline may come before the check fails. */
export const BARS: Readonly<Record<View | "feature", number>> = {
  task: 0.1,
  memory: 0.15,
  observation: 0.3,
  whole: 0.3,
  feature: 0.1,
};

/** The classifiers that read a view's words and bigrams. */
const CLASSIFIERS: readonly { readonly name: string; readonly classify: Classifier }[] = [
  { name: "naive Bayes", classify: naiveBayes },
  {
    name: "logistic regression",
    classify: (train, documents) => predictLogistic(fitLogistic(train), documents),
  },
];

/** Multinomial naive Bayes as a {@link Classifier}. */
export function naiveBayes(train: Examples, documents: Examples["documents"]) {
  return predictNaiveBayes(fitNaiveBayes(train), documents);
}

/**
 * What labels can be guessed from without judging: the best single feature, and words and bigrams
 * of each view, all cross-validated by family. A baseline fails when it is above the most frequent
 * label's share by more than its bar, and by more than chance would explain (Wilson 95%).
 */
export async function shortcutChecks(rows: readonly TextRow[]): Promise<AuditCheck[]> {
  const families = rows.map(({ trace }) => trace.family);
  const count = new Set(families).size;
  if (count < FOLDS) {
    const detail = `not measured: ${count} families, at least ${FOLDS} are needed`;
    return [{ name: "shortcut baselines", passed: true, detail, findings: [] }];
  }
  const floor = majorityShare(rows);
  const checks = [featureCheck(rows, familyFolds(families, FOLDS), floor)];
  for (const view of VIEWS) {
    const examples = examplesOf(rows, view);
    const results: Result[] = [];
    for (const { name, classify } of CLASSIFIERS) {
      await pauseAt(0);
      const { right } = crossValidate(examples, classify, { families, folds: FOLDS });
      results.push({ name, right });
    }
    checks.push(judge(`words of the ${view}`, results, rows.length, floor, BARS[view]));
  }
  return checks;
}

interface Result {
  readonly name: string;
  readonly right: number;
}

function featureCheck(rows: readonly TextRow[], folds: readonly number[], floor: number) {
  const results = FEATURES.map((feature) => {
    let right = 0;
    for (let fold = 0; fold < FOLDS; fold++) {
      const train = rows.filter((_, at) => folds[at] !== fold);
      const held = rows.filter((_, at) => folds[at] === fold);
      predictByFeature(feature, train, held).forEach((label, at) => {
        if (label === held[at]?.label) right++;
      });
    }
    return { name: feature.name, right };
  });
  const best = results.toSorted((a, b) => b.right - a.right).slice(0, 3);
  return judge("single features", best, rows.length, floor, BARS.feature);
}

function judge(name: string, results: readonly Result[], n: number, floor: number, margin: number) {
  const bar = floor + margin;
  const failing = results.filter(({ right }) => {
    const low = wilson(right, n)?.low ?? 0;
    return right / n > bar && low > floor;
  });
  const figures = results.map(({ name: each, right }) => `${each} ${percent(right / n)}`);
  const detail = `${figures.join(", ")}; most frequent label ${percent(floor)}, at most ${percent(bar)} allowed`;
  const findings = failing.map((each) => `${each.name} is right on ${each.right} of ${n} traces`);
  return { name, passed: failing.length === 0, detail, findings };
}

function majorityShare(rows: readonly TextRow[]): number {
  const counts = LABELS.map((_, label) => rows.filter((row) => row.label === label).length);
  return Math.max(...counts) / rows.length;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
