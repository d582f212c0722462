import { randomStream } from "../core/random.ts";
import type { Scheme } from "../task/scheme.ts";
import type { PromptExample } from "./examples.ts";
import { type Group, scoreAnswers } from "./group-figures.ts";
import type { Rollout, Sampler } from "./rollout.ts";

/** How groups of answers are sampled. */
export interface GroupSampling {
  readonly scheme: Scheme;
  /** Answers to each prompt. */
  readonly samples: number;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly seed: string;
  /** Its random numbers are its own. */
  readonly step: number;
}

/** Answers written side by side in one call. */
const MOST_ANSWERS = 64;

/** Samples a group of answers to each prompt, and reads and classifies them. */
export async function sampleGroups(
  sampler: Sampler,
  examples: readonly PromptExample[],
  { scheme, samples, temperature, maxTokens, seed, step }: GroupSampling,
): Promise<Group[]> {
  const groups: Group[] = [];
  const atOnce = Math.max(1, Math.floor(MOST_ANSWERS / samples));
  for (let start = 0; start < examples.length; start += atOnce) {
    const part = examples.slice(start, start + atOnce);
    const asked = part.map(({ id, prompt }) => {
      const random = (sample: number) =>
        randomStream(seed, "rollout", JSON.stringify([step, id, sample]));
      return { prompt, randoms: Array.from({ length: samples }, (_, sample) => random(sample)) };
    });
    const written = await sampler.sample(asked, { temperature, maxTokens });
    groups.push(
      ...part.map((example, k) => scoreAnswers(example, written[k] as Rollout[], scheme)),
    );
  }
  return groups;
}
