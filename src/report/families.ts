import type { ScoredAnswer } from "../result/scored.ts";
import { countedFamilies } from "./counted.ts";

/** How many families some answers belong to. */
export function familiesOf(answers: readonly ScoredAnswer[]): number {
  return new Set(answers.flatMap(({ family }) => family ?? [])).size;
}

/** Such as `6 families`. */
export function familiesText(answers: readonly ScoredAnswer[]): string {
  return countedFamilies(familiesOf(answers));
}

/** What a Wilson interval leaves out; stands beside every group of them. */
export const WILSON_NOTE =
  "Wilson intervals take every answer as independent; variants of a family are alike, so with few families the true uncertainty is larger.";
