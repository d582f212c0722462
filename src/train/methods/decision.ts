import { picksOf } from "../choices.ts";
import { descend } from "../descend.ts";
import { type ChoiceExample, encodeChoices } from "../examples.ts";
import type { Training } from "../job.ts";
import { type BatchScores, openLogProbs } from "../log-probs.ts";
import { runSteps } from "../loop.ts";
import { meanOf, NO_FIGURES, type StepFigures } from "../metrics-row.ts";
import { openPolicy } from "../policy.ts";
import { adapterOf, startOf } from "../start.ts";
import { trainableOf } from "../trainable.ts";

/**
 * Trained decisions: cross-entropy over the five letters where the letter follows, under the letter
 * order that the readout gives each trace. What is trained is what is measured.
 */
export async function trainDecision(training: Training): Promise<void> {
  const { job, base, keep } = training;
  const { header } = job;
  const { examples, letters } = encodeChoices(base, [...job.train, ...job.validation]);
  const held = examples.slice(job.train.length);

  const policy = openPolicy(base, adapterOf(header), startOf(training));
  const trainable = trainableOf(policy);
  const options = { threads: header.threads, letters };
  const logProbs = keep(await openLogProbs(policy, { ...options, gradients: true }));
  const looking =
    held.length > 0 ? keep(await openLogProbs(policy, { ...options, gradients: false })) : null;

  await runSteps(training, {
    trainable,
    examples: examples.slice(0, job.train.length),
    async takeStep(batch, optimizer) {
      const step = await descend(logProbs, toRows(batch), trainable, optimizer, header);
      const { gradientNorm, learningRate } = step;
      return { ...figuresOf(batch, step), gradientNorm, learningRate };
    },
    validate: looking && (async () => figuresOf(held, await looking.of(toRows(held)))),
  });
}

function toRows(batch: readonly ChoiceExample[]) {
  return batch.map(({ prompt, target }) => {
    return { prompt, answers: [{ targets: [target], weights: [1 / batch.length] }] };
  });
}

function figuresOf(batch: readonly ChoiceExample[], scores: BatchScores): StepFigures {
  const { loss, entropy, logits, tokens } = scores;
  return {
    ...NO_FIGURES,
    ...picksOf(batch, logits),
    loss,
    entropy: meanOf(entropy),
    tokens,
    answerTokens: batch.length,
  };
}
