import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { fitNaiveBayes, predictNaiveBayes } from "../stats/naive-bayes.ts";
import { wordTokens } from "../stats/tokens.ts";
import type { LabelProbabilities } from "../task/choice.ts";
import type { Situation } from "../task/prompt.ts";
import type { ModelDescription } from "./model.ts";

/** A bag of words that tells labels from a situation's text. */
export interface WordClassifier {
  predict(situations: readonly Situation[]): LabelProbabilities[];
  /** What it was fitted on. */
  readonly details: ModelDescription["details"];
}

/**
 * Fits multinomial naive Bayes with add-one smoothing on the words of task, memory (scope and
 * text) and observation.
 *
 * @param examples the train side, in any order
 * @param fittedOn what to record of the split it came from
 */
export function fitWordClassifier(
  examples: readonly (Situation & { readonly label: Label })[],
  fittedOn: ModelDescription["details"],
): WordClassifier {
  const model = fitNaiveBayes({
    documents: examples.map(tokensOf),
    labels: examples.map(({ label }) => LABELS.indexOf(label)),
    classes: LABELS.length,
  });
  return {
    predict(situations) {
      const scores = predictNaiveBayes(model, situations.map(tokensOf));
      return scores.map(({ probabilities }) =>
        byLabel((label) => probabilities[LABELS.indexOf(label)] ?? Number.NaN),
      );
    },
    details: { ...fittedOn, traces: examples.length, vocabulary: model.vocabulary.length },
  };
}

function tokensOf({ task, memory, observation }: Situation): string[] {
  const facts = memory.flatMap(({ scope, text }) => [scope, text]);
  return wordTokens([task, ...facts, observation].join("\n"));
}
