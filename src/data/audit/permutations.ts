import { randomStream } from "../../core/random.ts";
import { crossValidate } from "../../stats/cross-validate.ts";
import type { OnProgress } from "../jsonl.ts";
import { pauseAt } from "../pause.ts";
import { FOLDS, naiveBayes } from "./shortcuts.ts";
import { type TextRow, VIEWS, type View } from "./text-rows.ts";
import { examplesOf } from "./tokens.ts";

/** How often chance does as well as naive Bayes did, for one view. */
export interface PermutationTest {
  readonly view: View;
  readonly accuracy: number;
  /** Mean accuracy over permuted labels. */
  readonly permutedMean: number;
  readonly permutations: number;
  /** (1 + permutations at least as good) / (1 + permutations). */
  readonly p: number;
}

/**
 * Permutes labels within families and fits naive Bayes again: families keep their words and their
 * labels, only which variant has which label is lost (Good 2005, Permutation, Parametric and
 * Bootstrap Tests of Hypotheses, on restricted permutations).
 */
export async function permutationTests(
  rows: readonly TextRow[],
  {
    permutations,
    seed,
    onProgress,
  }: {
    readonly permutations: number;
    readonly seed: string;
    readonly onProgress?: OnProgress | undefined;
  },
): Promise<PermutationTest[]> {
  const families = rows.map(({ trace }) => trace.family);
  if (new Set(families).size < FOLDS) return [];
  const members = new Map<string, number[]>();
  families.forEach((family, at) => {
    members.set(family, [...(members.get(family) ?? []), at]);
  });
  const tests: PermutationTest[] = [];
  for (const view of VIEWS) {
    const examples = examplesOf(rows, view);
    const rightOf = (labels: readonly number[]) =>
      crossValidate({ ...examples, labels }, naiveBayes, { families, folds: FOLDS }).right;
    const right = rightOf(examples.labels);
    let [atLeast, total] = [0, 0];
    for (let k = 0; k < permutations; k++) {
      await pauseAt(0);
      const permuted = rightOf(permute(examples.labels, members, `${seed}/${k}`));
      total += permuted;
      if (permuted >= right) atLeast++;
      onProgress?.(VIEWS.indexOf(view) * permutations + k + 1, VIEWS.length * permutations);
    }
    tests.push({
      view,
      accuracy: right / rows.length,
      permutedMean: total / permutations / rows.length,
      permutations,
      p: (1 + atLeast) / (1 + permutations),
    });
  }
  return tests;
}

function permute(
  labels: readonly number[],
  members: ReadonlyMap<string, readonly number[]>,
  seed: string,
): number[] {
  const permuted = [...labels];
  for (const [family, rows] of members) {
    const random = randomStream(seed, "audit permutation", family);
    const own = rows.map((row) => labels[row] as number);
    for (let last = own.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [own[last], own[other]] = [own[other] as number, own[last] as number];
    }
    rows.forEach((row, at) => {
      permuted[row] = own[at] as number;
    });
  }
  return permuted;
}
