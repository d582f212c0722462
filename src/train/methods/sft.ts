import { descend } from "../descend.ts";
import { type AnswerExample, encodeAnswers } from "../examples.ts";
import type { Training } from "../job.ts";
import { openLogProbs } from "../log-probs.ts";
import { runSteps } from "../loop.ts";
import { meanOf, NO_FIGURES } from "../metrics-row.ts";
import { openPolicy } from "../policy.ts";
import { adapterOf, startOf } from "../start.ts";
import { trainableOf } from "../trainable.ts";

/**
 * Supervised fine-tuning: the prompt and the gold JSON, with the loss on the answer's tokens only.
 * The loss is the mean over all answer tokens of a batch.
 */
export async function trainSft(training: Training): Promise<void> {
  const { job, base, keep } = training;
  const { header } = job;
  const examples = encodeAnswers(base, job.train);
  const held = encodeAnswers(base, job.validation);

  const policy = openPolicy(base, adapterOf(header), startOf(training));
  const trainable = trainableOf(policy);
  const { threads } = header;
  const logProbs = keep(await openLogProbs(policy, { threads, gradients: true }));
  const looking =
    held.length > 0 ? keep(await openLogProbs(policy, { threads, gradients: false })) : null;

  await runSteps(training, {
    trainable,
    examples,
    async takeStep(batch, optimizer) {
      const rows = toRows(batch);
      const step = await descend(logProbs, rows, trainable, optimizer, header);
      const { loss, tokens, gradientNorm, learningRate } = step;
      const counts = { tokens, answerTokens: step.logp.length };
      const entropy = meanOf(step.entropy);
      return { ...NO_FIGURES, ...counts, loss, entropy, gradientNorm, learningRate };
    },
    validate:
      looking &&
      (async () => {
        const { loss, tokens, logp, entropy } = await looking.of(toRows(held));
        const counts = { tokens, answerTokens: logp.length };
        return { ...NO_FIGURES, ...counts, loss, entropy: meanOf(entropy) };
      }),
  });
}

/** Each answer token weighs the same, whatever the length of its answer. */
function toRows(batch: readonly AnswerExample[]) {
  const total = batch.reduce((sum, { answer }) => sum + answer.length, 0);
  return batch.map(({ prompt, answer }) => {
    return { prompt, answers: [{ targets: answer, weights: answer.map(() => 1 / total) }] };
  });
}
