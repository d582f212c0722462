import { SteerError } from "../core/errors.ts";
import { softmax } from "./calibration.ts";
import { type ClassScores, type Examples, requireTrainable } from "./classifier.ts";
import { buildVocabulary, countTokens, type SparseRow } from "./vocabulary.ts";

/** A fitted model as plain data: JSON can hold it. */
export interface NaiveBayesModel {
  /** In code-unit order. */
  readonly vocabulary: readonly string[];
  /** ln((documents of the class + alpha) / (documents + alpha * classes)), per class. */
  readonly logPriors: readonly number[];
  /** ln((count of the token in the class + alpha) / (tokens of the class + alpha * V)), per class and token. */
  readonly logLikelihoods: readonly (readonly number[])[];
}

/**
 * Fits multinomial naive Bayes on token counts, with `alpha` added to every count (Manning,
 * Raghavan and Schütze 2008, Introduction to Information Retrieval, section 13.2). Counts are whole numbers, so the
 * order of documents does not matter.
 *
 * @param examples a class without documents keeps a small prior
 * @throws SteerError `usage` or `mismatch` for no documents, labels out of range, alpha not above 0
 */
export function fitNaiveBayes(
  examples: Examples,
  { alpha = 1 }: { readonly alpha?: number } = {},
): NaiveBayesModel {
  requireTrainable(examples);
  const { documents, labels, classes } = examples;
  if (!(alpha > 0 && Number.isFinite(alpha))) {
    throw new SteerError("usage", `alpha must be a finite number above 0; got ${alpha}`);
  }
  const vocabulary = buildVocabulary(documents);
  const counts = Array.from({ length: classes }, () => new Float64Array(vocabulary.length));
  const perClass = new Float64Array(classes);
  countTokens(documents, vocabulary).forEach((row, at) => {
    const label = labels[at] as number;
    perClass[label] = (perClass[label] as number) + 1;
    addRow(counts[label] as Float64Array, row);
  });
  return {
    vocabulary,
    logPriors: logShares(perClass, alpha),
    logLikelihoods: counts.map((row) => logShares(row, alpha)),
  };
}

/** The posterior over classes for each document; tokens never seen in fitting are left out. */
export function predictNaiveBayes(
  { vocabulary, logPriors, logLikelihoods }: NaiveBayesModel,
  documents: readonly (readonly string[])[],
): ClassScores[] {
  return countTokens(documents, vocabulary).map(({ columns, counts }) => {
    const logPosteriors = logPriors.map((prior, label) => {
      const likelihoods = logLikelihoods[label] as readonly number[];
      return columns.reduce(
        (sum, column, k) => sum + (counts[k] as number) * (likelihoods[column] as number),
        prior,
      );
    });
    return { logPosteriors, probabilities: softmax(logPosteriors) };
  });
}

function addRow(total: Float64Array, { columns, counts }: SparseRow): void {
  columns.forEach((column, k) => {
    total[column] = (total[column] as number) + (counts[k] as number);
  });
}

function logShares(counts: Float64Array, alpha: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0) + alpha * counts.length;
  return Array.from(counts, (count) => Math.log((count + alpha) / total));
}
