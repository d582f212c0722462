import { SteerError } from "../core/errors.ts";
import type { RandomStream } from "../core/random.ts";
import { hasClosedObject } from "../model/onnx/closed-object.ts";
import { drawToken, likeliestToken } from "../model/onnx/sample-token.ts";
import type { Policy } from "./policy.ts";
import { openReader, type Reader } from "./rollout-reader.ts";

/** An answer that the model has written. */
export interface Rollout {
  /** Every token that was chosen, an end token included. Never empty. */
  readonly tokens: readonly number[];
  /** Without the end token. */
  readonly text: string;
  /** `length` when the token limit cut it off. */
  readonly finish: "stop" | "length";
  /** Of the choices at each token, in nats, at temperature 1. */
  readonly entropy: readonly number[];
}

/** How answers are written. */
export interface SampleOptions {
  /** 0 takes the likeliest token. */
  readonly temperature: number;
  readonly maxTokens: number;
}

/** A prompt, and a stream of random numbers for each answer wanted. */
export interface Asked {
  readonly prompt: readonly number[];
  readonly randoms: readonly RandomStream[];
}

/** Writes answers with the policy as it stands. */
export interface Sampler {
  /**
   * The answers to each prompt. Prompts are read together and once, whatever the number of their
   * answers.
   *
   * @throws SteerError `interrupted`; `impossible` for logits that are no numbers
   */
  sample(asked: readonly Asked[], options: SampleOptions): Promise<Rollout[][]>;
  close(): Promise<void>;
}

/** Opens a policy for writing answers. `checkStop` throws when it is time to end. */
export async function openSampler(
  policy: Policy,
  { threads, checkStop }: { readonly threads: number; readonly checkStop: () => void },
): Promise<Sampler> {
  const reader = await openReader(policy, threads);
  return {
    sample: (asked, options) => writeAll(policy, reader, asked, { ...options, checkStop }),
    close: () => reader.close(),
  };
}

interface Writing extends SampleOptions {
  readonly checkStop: () => void;
}

/** An answer being written. */
interface Draft {
  readonly random: RandomStream;
  readonly tokens: number[];
  readonly entropy: number[];
  finish: Rollout["finish"] | null;
}

async function writeAll(
  { base }: Policy,
  reader: Reader,
  asked: readonly Asked[],
  writing: Writing,
): Promise<Rollout[][]> {
  const { tokenizer, endIds } = base;
  const drafts = asked.map(({ randoms }) =>
    randoms.map((random): Draft => ({ random, tokens: [], entropy: [], finish: null })),
  );
  const write = (draft: Draft, logits: Float32Array) => {
    const token = chooseToken(logits, draft, writing);
    draft.tokens.push(token);
    draft.entropy.push(entropyOf(logits));
    const isEnd = endIds.includes(token);
    const mayClose = !isEnd && tokenizer.decode([token]).includes("}");
    if (isEnd || (mayClose && hasClosedObject(tokenizer.decode(draft.tokens)))) {
      draft.finish = "stop";
    } else if (draft.tokens.length >= writing.maxTokens) draft.finish = "length";
  };

  writing.checkStop();
  const begun = await reader.begin(asked.map(({ prompt }) => prompt));
  drafts.forEach((row, r) => {
    for (const draft of row) write(draft, begun.logits(r));
  });
  for (;;) {
    writing.checkStop();
    const open = drafts.map((row) =>
      [...row.entries()].filter(([, { finish }]) => finish === null),
    );
    if (open.every((row) => row.length === 0)) break;
    const next = open.map((row) =>
      row.map(([answer, { tokens }]) => ({ answer, token: tokens.at(-1) as number })),
    );
    const logits = await begun.read(next);
    open.forEach((row, r) => {
      row.forEach(([, draft], place) => {
        write(draft, logits(r, place));
      });
    });
  }
  return drafts.map((row) =>
    row.map(({ tokens, entropy, finish }) => {
      const text = tokens.filter((token, at) => at < tokens.length - 1 || !endIds.includes(token));
      return { tokens, entropy, text: tokenizer.decode(text), finish: finish ?? "stop" };
    }),
  );
}

function chooseToken(logits: Float32Array, { random }: Draft, { temperature }: Writing): number {
  const token =
    temperature === 0
      ? likeliestToken(logits)
      : drawToken(logits, { temperature, topP: 1 }, random);
  if (token >= 0) return token;
  const message = "the model's logits are not finite";
  throw new SteerError("impossible", `${message}; train anew with a lower --learning-rate`);
}

/** −Σ p log p of the softmax, in nats. */
function entropyOf(logits: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of logits) if (value > highest) highest = value;
  let [sum, weighted] = [0, 0];
  for (const value of logits) {
    const weight = Math.exp(value - highest);
    sum += weight;
    weighted += weight * (value - highest);
  }
  return Math.log(sum) - weighted / sum;
}
