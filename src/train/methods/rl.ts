import { groupAdvantages } from "../../env/group.ts";
import type { BatchRow } from "../../graph/batch.ts";
import { descend } from "../descend.ts";
import { encodePrompts } from "../examples.ts";
import { figuresOfAnswers, figuresOfGroups, type Group } from "../group-figures.ts";
import type { TrainHeader } from "../header.ts";
import type { Training } from "../job.ts";
import { openLogProbs } from "../log-probs.ts";
import { runSteps, stopped } from "../loop.ts";
import { openPolicy } from "../policy.ts";
import { openSampler } from "../rollout.ts";
import { sampleGroups } from "../sample-groups.ts";
import { adapterOf, startOf } from "../start.ts";
import { trainableOf } from "../trainable.ts";

/** What the header of such a run says besides. */
export type Rollouts = NonNullable<TrainHeader["rollouts"]>;

/**
 * Reinforcement learning on outcomes. For each trace: sample a group of answers and pay each by the
 * scheme; an answer's advantage is its reward minus the group's mean; take one step on the negative
 * sum of advantage × log-probability, divided by the number of answer tokens of the group. A group
 * whose answers are all paid alike carries no signal and is skipped, before a batch is built.
 */
export async function trainRl(training: Training, rollouts: Rollouts): Promise<void> {
  const { job, base, watch, keep } = training;
  const { header } = job;
  const { threads, seed } = header;
  const { scheme, maxTokens } = rollouts;
  const examples = encodePrompts(base, job.train, maxTokens);
  const held = encodePrompts(base, job.validation, maxTokens);
  const greedy = { ...rollouts, seed, samples: 1, temperature: 0, step: 0 };

  const policy = openPolicy(base, adapterOf(header), startOf(training));
  const trainable = trainableOf(policy);
  const logProbs = keep(await openLogProbs(policy, { threads, gradients: true }));
  const checkStop = () => {
    if (watch.isStopped()) throw stopped();
  };
  const sampler = keep(await openSampler(policy, { threads, checkStop }));

  await runSteps(training, {
    trainable,
    examples,
    async takeStep(batch, optimizer, step) {
      const groups = await sampleGroups(sampler, batch, { ...rollouts, seed, step });
      const figures = figuresOfGroups(groups, scheme);
      const rows = toRows(groups, rollouts);
      if (rows.length === 0) return figures;
      const made = await descend(logProbs, rows, trainable, optimizer, header);
      const { loss, tokens, gradientNorm, learningRate } = made;
      return { ...figures, loss, tokens, gradientNorm, learningRate };
    },
    validate:
      held.length === 0
        ? null
        : async () => figuresOfAnswers(await sampleGroups(sampler, held, greedy), scheme),
  });
}

/**
 * One row for each group that carries signal: its prompt once, and its answers behind it. Where a
 * step takes several groups, the loss is the mean over those.
 */
export function toRows(groups: readonly Group[], { scheme, divideBy }: Rollouts): BatchRow[] {
  const kept = groups.flatMap((group) => {
    const { advantages } = groupAdvantages(group.outcomes, scheme);
    return advantages === null ? [] : [{ ...group, advantages }];
  });
  return kept.map(({ prompt, answers, advantages }) => {
    const total = answers.reduce((sum, { tokens }) => sum + tokens.length, 0);
    return {
      prompt,
      answers: answers.map(({ tokens }, k) => {
        const divisor = kept.length * (divideBy === "group" ? total : tokens.length);
        const weight = (advantages[k] as number) / divisor;
        return { targets: tokens, weights: tokens.map(() => weight) };
      }),
    };
  });
}
