import { SteerError } from "../core/errors.ts";
import { softmax } from "./calibration.ts";
import { type ClassScores, type Examples, requireTrainable } from "./classifier.ts";
import { minimise } from "./lbfgs.ts";
import { buildVocabulary, countTokens, type SparseRow } from "./vocabulary.ts";

/** A fitted model as plain data: JSON can hold it. */
export interface LogisticModel {
  /** In code-unit order. */
  readonly vocabulary: readonly string[];
  /** Per token, one weight per class. */
  readonly weights: readonly (readonly number[])[];
  /** One per class. */
  readonly biases: readonly number[];
  readonly iterations: number;
  /** Whether the optimum was reached before the iteration limit. */
  readonly converged: boolean;
}

/** Largest entry of the mean loss's gradient at which fitting ends. */
const TOLERANCE = 1e-6;
const MAX_ITERATIONS = 500;

/**
 * Fits multinomial logistic regression on token counts, each document scaled to length 1. It
 * minimises the summed negative log-likelihood plus `penalty` / 2 times the squared weights (not
 * biases), over all documents at once and without random numbers.
 *
 * @throws SteerError `usage` or `mismatch` for no documents, labels out of range, penalty not above 0
 */
export function fitLogistic(
  examples: Examples,
  { penalty = 1 }: { readonly penalty?: number } = {},
): LogisticModel {
  requireTrainable(examples);
  if (!(penalty > 0 && Number.isFinite(penalty))) {
    throw new SteerError("usage", `penalty must be a finite number above 0; got ${penalty}`);
  }
  const { documents, labels, classes } = examples;
  const vocabulary = buildVocabulary(documents);
  const rows = countTokens(documents, vocabulary).map(toUnitLength);
  const width = vocabulary.length;
  const { x, iterations, converged } = minimise(
    (at, gradient) => {
      const loss = addLoss(rows, labels, at, gradient, classes);
      return addPenalty(loss, at, gradient, { penalty, weights: width * classes, n: rows.length });
    },
    (width + 1) * classes,
    { tolerance: TOLERANCE, maxIterations: MAX_ITERATIONS },
  );
  const perClass = (column: number) => [...x.subarray(column * classes, (column + 1) * classes)];
  return {
    vocabulary,
    weights: vocabulary.map((_, column) => perClass(column)),
    biases: perClass(width),
    iterations,
    converged,
  };
}

/** The posterior over classes for each document; tokens never seen in fitting are left out. */
export function predictLogistic(
  { vocabulary, weights, biases }: LogisticModel,
  documents: readonly (readonly string[])[],
): ClassScores[] {
  return countTokens(documents, vocabulary)
    .map(toUnitLength)
    .map(({ columns, counts }) => {
      const logPosteriors = biases.map((bias, label) =>
        columns.reduce(
          (sum, column, k) => sum + (counts[k] as number) * (weights[column]?.[label] ?? 0),
          bias,
        ),
      );
      return { logPosteriors, probabilities: softmax(logPosteriors) };
    });
}

function toUnitLength({ columns, counts }: SparseRow): SparseRow {
  const length = Math.sqrt(counts.reduce((sum, count) => sum + count * count, 0));
  return { columns, counts: length === 0 ? counts : counts.map((count) => count / length) };
}

/**
 * Adds up each document's loss and overwrites `gradient` with the sum of theirs. Parameters lie
 * token by token, `classes` numbers each, biases last.
 */
function addLoss(
  rows: readonly SparseRow[],
  labels: readonly number[],
  parameters: Float64Array,
  gradient: Float64Array,
  classes: number,
): number {
  gradient.fill(0);
  const biases = parameters.length - classes;
  const scores = new Float64Array(classes);
  let loss = 0;
  rows.forEach(({ columns, counts }, at) => {
    scores.set(parameters.subarray(biases));
    for (let k = 0; k < columns.length; k++) {
      const start = (columns[k] as number) * classes;
      for (let c = 0; c < classes; c++) {
        scores[c] =
          (scores[c] as number) + (counts[k] as number) * (parameters[start + c] as number);
      }
    }
    const label = labels[at] as number;
    loss += toResiduals(scores, label);
    for (let c = 0; c < classes; c++) {
      gradient[biases + c] = (gradient[biases + c] as number) + (scores[c] as number);
    }
    for (let k = 0; k < columns.length; k++) {
      const start = (columns[k] as number) * classes;
      for (let c = 0; c < classes; c++) {
        gradient[start + c] =
          (gradient[start + c] as number) + (counts[k] as number) * (scores[c] as number);
      }
    }
  });
  return loss;
}

/** Turns scores into probabilities minus the one-hot label, in place; returns the loss in nats. */
function toResiduals(scores: Float64Array, label: number): number {
  const highest = scores.reduce((a, b) => Math.max(a, b));
  const gold = scores[label] as number;
  let total = 0;
  for (let c = 0; c < scores.length; c++) {
    scores[c] = Math.exp((scores[c] as number) - highest);
    total += scores[c] as number;
  }
  for (let c = 0; c < scores.length; c++) scores[c] = (scores[c] as number) / total;
  scores[label] = (scores[label] as number) - 1;
  return Math.log(total) + highest - gold;
}

/** Adds the penalty to a summed loss and its gradient, and divides both by the documents. */
function addPenalty(
  loss: number,
  parameters: Float64Array,
  gradient: Float64Array,
  { penalty, weights, n }: { penalty: number; weights: number; n: number },
): number {
  let squares = 0;
  for (let i = 0; i < weights; i++) {
    const weight = parameters[i] as number;
    squares += weight * weight;
    gradient[i] = (gradient[i] as number) + penalty * weight;
  }
  for (let i = 0; i < gradient.length; i++) gradient[i] = (gradient[i] as number) / n;
  return (loss + (penalty / 2) * squares) / n;
}
