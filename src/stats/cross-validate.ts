import { SteerError } from "../core/errors.ts";
import { orderByHash } from "../core/hash.ts";
import { requireSameLength, requireWhole } from "./check.ts";
import { type Classifier, type Examples, requireTrainable } from "./classifier.ts";
import { pick } from "./logprobs.ts";

/**
 * The fold of each row, 0 to `folds` - 1, with whole families in one fold: families in order of
 * size, largest first, equal sizes by sha256 of the name, each into the fold with the fewest rows
 * so far. Counts are whole numbers, so equal families spread evenly, and the order of rows does not
 * matter.
 *
 * @param families family of each row
 * @throws SteerError `impossible` when there are fewer families than folds
 */
export function familyFolds(families: readonly string[], folds: number): number[] {
  requireWhole("folds", folds, 2);
  const sizes = new Map<string, number>();
  for (const family of families) sizes.set(family, (sizes.get(family) ?? 0) + 1);
  if (sizes.size < folds) {
    throw new SteerError(
      "impossible",
      `${folds} folds need at least ${folds} families; there are ${sizes.size}`,
    );
  }
  const ordered = orderByHash([...sizes], ([family]) => family).sort(([, a], [, b]) => b - a);
  const rows = new Array<number>(folds).fill(0);
  const foldOf = new Map<string, number>();
  for (const [family, size] of ordered) {
    const fold = rows.indexOf(Math.min(...rows));
    rows[fold] = (rows[fold] as number) + size;
    foldOf.set(family, fold);
  }
  return families.map((family) => foldOf.get(family) as number);
}

/** How a classifier does on families it was not fitted on. */
export interface CrossValidation {
  /** Rows predicted right, and all rows. */
  readonly right: number;
  readonly counted: number;
  readonly accuracy: number;
  /** Rows whose highest score was shared: predicted null, and not right. */
  readonly ties: number;
  /** Class predicted for each row by the classifier that did not see its family. */
  readonly predictions: readonly (number | null)[];
  /** Fold of each row. */
  readonly folds: readonly number[];
}

/**
 * Cross-validates by family: each fold is predicted by a classifier fitted on the others.
 *
 * @throws SteerError `usage` or `mismatch` for broken examples, `impossible` for too few families
 */
export function crossValidate(
  examples: Examples,
  classify: Classifier,
  {
    families,
    folds = 5,
    onProgress,
  }: {
    readonly families: readonly string[];
    readonly folds?: number;
    readonly onProgress?: ((done: number, total: number) => void) | undefined;
  },
): CrossValidation {
  requireTrainable(examples);
  requireSameLength("documents", examples.documents, "families", families);
  const foldOf = familyFolds(families, folds);
  const predictions = new Array<number | null>(families.length).fill(null);
  for (let fold = 0; fold < folds; fold++) {
    const held = positions(foldOf, (each) => each === fold);
    const train = take(
      examples,
      positions(foldOf, (each) => each !== fold),
    );
    classify(train, take(examples, held).documents).forEach(({ logPosteriors }, at) => {
      predictions[held[at] as number] = pick(logPosteriors).pick;
    });
    onProgress?.(fold + 1, folds);
  }
  const counted = predictions.length;
  const right = predictions.filter((predicted, at) => predicted === examples.labels[at]).length;
  const ties = predictions.filter((predicted) => predicted === null).length;
  return { right, counted, accuracy: right / counted, ties, predictions, folds: foldOf };
}

function positions(folds: readonly number[], keep: (fold: number) => boolean): number[] {
  return folds.flatMap((fold, row) => (keep(fold) ? [row] : []));
}

function take({ documents, labels, classes }: Examples, rows: readonly number[]): Examples {
  return {
    documents: rows.map((row) => documents[row] as readonly string[]),
    labels: rows.map((row) => labels[row] as number),
    classes,
  };
}
