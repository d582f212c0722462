import { SteerError } from "../core/errors.ts";
import { requireSameLength, requireWhole } from "./check.ts";

/** Tokenised documents with their classes. */
export interface Examples {
  /** Tokens of each document. */
  readonly documents: readonly (readonly string[])[];
  /** Class of each document, 0 to `classes` - 1. */
  readonly labels: readonly number[];
  /** How many classes there are, whether or not a document shows them. */
  readonly classes: number;
}

/** What a classifier says about one document, per class. */
export interface ClassScores {
  /** Log of the posterior, up to a constant shared by all classes. */
  readonly logPosteriors: readonly number[];
  /** The posterior; sums to 1. */
  readonly probabilities: readonly number[];
}

/** Fits on some examples and scores other documents. Must be deterministic. */
export type Classifier = (
  train: Examples,
  documents: readonly (readonly string[])[],
) => readonly ClassScores[];

/**
 * @throws SteerError `usage` or `mismatch` unless there is a document and each has a class in range
 */
export function requireTrainable({ documents, labels, classes }: Examples): void {
  requireWhole("classes", classes, 1);
  requireSameLength("documents", documents, "labels", labels);
  if (documents.length === 0) throw new SteerError("usage", "a classifier needs documents to fit");
  labels.forEach((label, at) => {
    requireWhole(`labels[${at}]`, label, 0, classes - 1);
  });
}
