import { SteerError } from "../../core/errors.ts";
import { picksOf } from "../choices.ts";
import { requireFinite } from "../descend.ts";
import { type ChoiceExample, encodeChoices } from "../examples.ts";
import { readFeatures } from "../features.ts";
import type { Training } from "../job.ts";
import { openLetterHead, ROWS, scoreHead } from "../letter-head.ts";
import { runSteps } from "../loop.ts";
import { meanOf, NO_FIGURES, type StepFigures } from "../metrics-row.ts";
import { updateWeights } from "../optimizer.ts";

/** A choice with what the head reads behind its prompt. */
interface Read extends ChoiceExample {
  readonly feature: Float32Array;
}

/**
 * The cheap control: the model stays as it is and is read once; only the five rows of its head that
 * the letters have are trained, on the cross-entropy of trained decisions. What that arm gains over
 * this one, it did not gain by calibrating the readout.
 */
export async function trainHead(training: Training): Promise<void> {
  const { job, base, folder, watch } = training;
  const { header } = job;
  const choices = encodeChoices(base, [...job.train, ...job.validation]);
  const total = choices.examples.length;
  const onProgress = (done: number) => watch.onProgress(done, total + header.steps);

  const features = await readFeatures(base, choices.examples, {
    threads: header.threads,
    onProgress,
    checkStop() {
      if (!watch.isStopped()) return;
      const message = `${job.out}: stopped while the model was read; begin anew with --resume`;
      throw new SteerError("interrupted", message);
    },
  });
  const examples = choices.examples.map((example): Read => {
    return { ...example, feature: features.get(example.id) as Float32Array };
  });
  const held = examples.slice(job.train.length);
  const head = openLetterHead(base, choices.letters, folder.checkpoint?.weights ?? null);
  const rows = head.tensors.get(ROWS) as Float32Array;

  const following = { ...watch, onProgress: (done: number) => onProgress(total + done) };
  await runSteps(
    { ...training, watch: following },
    {
      trainable: head,
      examples: examples.slice(0, job.train.length),
      async takeStep(batch, optimizer) {
        const scores = scoreHead(rows, batch);
        requireFinite(scores.loss);
        const gradients = new Map([[ROWS, scores.gradient]]);
        const update = updateWeights(head.shapes, head.tensors, gradients, optimizer, header);
        return { ...figuresOf(batch, scores), ...update };
      },
      validate: held.length === 0 ? null : async () => figuresOf(held, scoreHead(rows, held)),
    },
  );
}

function figuresOf(
  batch: readonly Read[],
  { loss, entropy, logits }: ReturnType<typeof scoreHead>,
): StepFigures {
  const counts = { answerTokens: batch.length };
  return { ...NO_FIGURES, ...picksOf(batch, logits), ...counts, loss, entropy: meanOf(entropy) };
}
