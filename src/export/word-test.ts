import { crossValidate } from "../stats/cross-validate.ts";
import { fitNaiveBayes, predictNaiveBayes } from "../stats/naive-bayes.ts";
import { wordTokens } from "../stats/tokens.ts";

/** Two answers whose words are compared. */
export interface AnswerPair {
  readonly family: string;
  readonly chosen: string;
  readonly rejected: string;
}

/** How well words alone tell chosen from rejected answers; 0.5 is chance. */
export interface WordTest {
  /** Answers put on the right side, a tie counting as half. */
  readonly right: number;
  /** All answers that were looked at: two a pair. */
  readonly answers: number;
  readonly accuracy: number;
}

/** Pairs that are looked at: enough to measure to about one percent. */
export const WORD_TEST_PAIRS = 4096;

const FOLDS = 5;

/**
 * Whether a bag of words on the completions alone, without any prompt, tells chosen from rejected:
 * naive Bayes, cross-validated by family. What it can tell, a model can learn instead of the task.
 *
 * Balanced negatives come out at one half by construction, not by luck: a family deals its own
 * answers round, so each text is chosen once and rejected once. Whatever a classifier says of a
 * text, it is right about one of the two. (Naive Bayes even ties: in the families it is fitted on,
 * both sides hold the same words equally often.)
 *
 * @returns null where there are fewer than five families to fold
 */
export function wordTest(pairs: readonly AnswerPair[]): WordTest | null {
  const seen = pairs.slice(0, WORD_TEST_PAIRS);
  if (new Set(seen.map(({ family }) => family)).size < FOLDS) return null;
  const { right, ties, counted } = crossValidate(
    {
      documents: seen.flatMap(({ chosen, rejected }) => [wordTokens(chosen), wordTokens(rejected)]),
      labels: seen.flatMap(() => [1, 0]),
      classes: 2,
    },
    (train, documents) => predictNaiveBayes(fitNaiveBayes(train), documents),
    { families: seen.flatMap(({ family }) => [family, family]), folds: FOLDS },
  );
  const halves = right + ties / 2;
  return { right: halves, answers: counted, accuracy: halves / counted };
}
