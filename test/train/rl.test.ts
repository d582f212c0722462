import { expect, test } from "vitest";
import { LABELS } from "../../src/core/intervention.ts";
import { randomStream } from "../../src/core/random.ts";
import { groupAdvantages, type SkipReason } from "../../src/env/group.ts";
import { SCHEMES } from "../../src/task/scheme.ts";
import { openBaseModel } from "../../src/train/base-model.ts";
import { encodePrompts } from "../../src/train/examples.ts";
import { figuresOfGroups, type Group } from "../../src/train/group-figures.ts";
import { openLogProbs } from "../../src/train/log-probs.ts";
import { toRows } from "../../src/train/methods/rl.ts";
import { openPolicy, type Policy } from "../../src/train/policy.ts";
import { openSampler } from "../../src/train/rollout.ts";
import { sampleGroups } from "../../src/train/sample-groups.ts";
import { train } from "../../src/train/train.ts";
import { relativeError } from "../graph/support.ts";
import { answeringModel, ROLLOUTS } from "./answering.ts";
import { loadShort, makeJob, STILL } from "./support.ts";

/** Groups of eight sampled answers to short traces of all labels. */
async function sample(): Promise<{ policy: Policy; groups: Group[] }> {
  const traces = await loadShort([...LABELS, ...LABELS]);
  const job = await makeJob({
    ...traces,
    method: "rl",
    model: await answeringModel(),
    rollouts: ROLLOUTS,
  });
  const base = openBaseModel(job.model);
  const policy = openPolicy(base, null, { seed: "1", start: null });
  const sampler = await openSampler(policy, { threads: 1, checkStop: () => {} });
  const examples = encodePrompts(base, job.train, ROLLOUTS.maxTokens);
  const groups = await sampleGroups(sampler, examples, { ...ROLLOUTS, seed: "1", step: 1 });
  await sampler.close();
  base.weights.close();
  return { policy, groups };
}

test("a group's loss is the negative sum of advantage × log-probability over its answer tokens", async () => {
  const { policy, groups } = await sample();
  const logProbs = await openLogProbs(policy, { threads: 1, gradients: false });
  const group = groups.find(
    ({ outcomes }) => groupAdvantages(outcomes, ROLLOUTS.scheme).advantages,
  );
  const { outcomes, answers, prompt } = group as Group;
  const rewards = outcomes.map((outcome) => ROLLOUTS.scheme.prices[outcome]);
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const one = answers.map(({ tokens }) => ({ targets: tokens, weights: tokens.map(() => 1) }));
  const logp: number[] = [];
  for (const answer of one) logp.push(-(await logProbs.of([{ prompt, answers: [answer] }])).loss);
  const total = answers.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const lossBy = async (divideBy: "group" | "answer") =>
    (await logProbs.of(toRows([group as Group], { ...ROLLOUTS, divideBy }))).loss;
  const sum = (divisor: (k: number) => number) =>
    -rewards.reduce((all, reward, k) => all + ((reward - mean) * (logp[k] ?? 0)) / divisor(k), 0);
  expect(await lossBy("group")).toBeCloseTo(
    sum(() => total),
    4,
  );
  expect(await lossBy("answer")).toBeCloseTo(
    sum((k) => answers[k]?.tokens.length ?? 0),
    4,
  );
  await logProbs.close();
});

test("gradients of packed groups are those of answers in rows of their own", async () => {
  const { policy, groups } = await sample();
  const logProbs = await openLogProbs(policy, { threads: 1, gradients: true });
  const packed = toRows(groups, ROLLOUTS);
  const padded = packed.flatMap(({ prompt, answers }) =>
    answers.map((answer) => ({ prompt, answers: [answer] })),
  );
  const [a, b] = [await logProbs.of(packed), await logProbs.of(padded)];
  expect(a.tokens).toBeLessThan(b.tokens / 3);
  expect(a.logp.length).toBe(b.logp.length);
  for (const [name, gradient] of a.gradients) {
    const other = b.gradients.get(name) ?? new Float32Array();
    expect(relativeError(gradient, other), name).toBeLessThan(1e-4);
  }
  await logProbs.close();
});

test("what is sampled has the entropy that training finds at the same tokens", async () => {
  const { policy, groups } = await sample();
  const logProbs = await openLogProbs(policy, { threads: 1, gradients: false });
  const rows = groups.map(({ prompt, answers }) => {
    const packed = answers.map(({ tokens }) => ({ targets: tokens, weights: tokens.map(() => 1) }));
    return { prompt, answers: packed };
  });
  const { entropy } = await logProbs.of(rows);
  const sampled = groups.flatMap(({ answers }) => answers.flatMap((answer) => answer.entropy));
  expect(relativeError(Float32Array.from(sampled), entropy)).toBeLessThan(1e-3);
  await logProbs.close();
});

test("skipped groups are counted as groupAdvantages finds them, and none of them is trained on", async () => {
  const { groups } = await sample();
  const [first] = groups as [Group];
  const same = (outcomes: Group["outcomes"]) => ({ ...first, outcomes });
  const eight = <T>(value: T) => Array.from({ length: 8 }, () => value);
  const all = [
    ...groups,
    same(eight("correct" as const)),
    same(eight("wrong" as const)),
    same([...eight("wrong" as const).slice(1), "unreadable"]),
    same([...eight("unreadable" as const).slice(1), "cut_off"]),
  ];
  for (const scheme of [SCHEMES.symmetric, SCHEMES.asymmetric]) {
    const skips = all.map(({ outcomes }) => groupAdvantages(outcomes, scheme).skip);
    const { skipShare, groups: count } = figuresOfGroups(all, scheme);
    for (const [reason, share] of Object.entries(skipShare ?? {}) as [SkipReason, number][]) {
      expect(share * (count ?? 0)).toBeCloseTo(skips.filter((skip) => skip === reason).length, 9);
    }
    const kept = skips.filter((skip) => skip === null).length;
    expect(toRows(all, { ...ROLLOUTS, scheme })).toHaveLength(kept);
  }
});

test("a step whose groups are all skipped changes nothing but the step's number", async () => {
  // A random model never answers readably: eight times the same mistake.
  const traces = await loadShort([...LABELS]);
  const rollouts = { ...ROLLOUTS, maxTokens: 4 };
  const job = await makeJob({ ...traces, method: "rl", rollouts, length: { steps: 2 } });
  const { rows } = await train(job, STILL);
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toMatchObject({
      loss: null,
      gradientNorm: null,
      tokens: 0,
      groups: 2,
      reward: -0.5,
    });
    expect(row.skipShare).toEqual({ all_correct: 0, same_mistake: 1, equal_price: 0 });
  }
});

test("each sample has random numbers of its own, the same again for the same step", async () => {
  const { policy, groups } = await sample();
  const texts = groups.flatMap(({ answers }) => answers.map(({ tokens }) => tokens.join()));
  expect(new Set(texts).size).toBeGreaterThan(4);
  const sampler = await openSampler(policy, { threads: 1, checkStop: () => {} });
  const [group] = groups as [Group];
  const randoms = [0, 1].map((k) => randomStream("1", "rollout", JSON.stringify([1, group.id, k])));
  const options = { temperature: 1, maxTokens: ROLLOUTS.maxTokens };
  const [again] = await sampler.sample([{ prompt: group.prompt, randoms }], options);
  expect(again?.map(({ tokens }) => tokens)).toEqual(
    group.answers.slice(0, 2).map(({ tokens }) => tokens),
  );
  await sampler.close();
});
