import type { Tensors } from "../graph/adapter/merge.ts";
import { type BatchRow, layOutBatch } from "../graph/batch.ts";
import { type Feeds, integers } from "../graph/tensor-data.ts";
import { buildTrainingGraph, gradientName } from "../graph/training-graph.ts";
import type { Policy } from "./policy.ts";
import { numbersOf, openSession } from "./session.ts";

/** What the model says of a batch's answers. Lists run through rows, their answers and targets. */
export interface BatchScores {
  /** −Σ weight · log p(target). */
  readonly loss: number;
  /** log p(target), natural. */
  readonly logp: Float32Array;
  /** Of the choices at each target, in nats. */
  readonly entropy: Float32Array;
  /** Over letters: those of all letters at each target. Empty over the vocabulary. */
  readonly logits: Float32Array;
  /** Of the loss, by trained weight; empty where none were asked for. */
  readonly gradients: Tensors;
  /** Tokens that the model read. */
  readonly tokens: number;
}

/** The log-probabilities of answers, and the gradients of their weighted sum. */
export interface LogProbs {
  /**
   * @throws SteerError `impossible` for a row beyond the context limit, or when memory runs out
   */
  of(rows: readonly BatchRow[]): Promise<BatchScores>;
  close(): Promise<void>;
}

/** How log-probabilities are taken. */
export interface LogProbsOptions {
  readonly threads: number;
  readonly gradients: boolean;
  /** Token ids of A to E: targets are then places among them, and nothing else counts. */
  readonly letters?: readonly number[] | undefined;
}

/**
 * Rows run together while they hold at most so many tokens, filler included. A single row may be
 * longer. More would save little time and cost memory for every layer.
 */
const TOKENS_AT_ONCE = 1024;

/**
 * The one function behind every method: they differ in rows, targets and weights. The loss is a
 * sum, so that a batch may run in parts whose gradients are added.
 */
export async function openLogProbs(
  policy: Policy,
  { threads, gradients: wanted, letters }: LogProbsOptions,
): Promise<LogProbs> {
  const options = {
    ...policy.options,
    trained: wanted ? policy.options.trained : "nothing",
  } as const;
  const graph = buildTrainingGraph(options, letters ? "letters" : "vocabulary");
  const session = await openSession(graph.bytes, { threads });
  const constant: Feeds = {
    ...policy.frozenFeeds,
    ...policy.trainedFeeds,
    ...(letters && { letters: integers(letters, [letters.length]) }),
  };
  return {
    async of(rows) {
      const lists: Record<"logp" | "entropy" | "logits", Float32Array[]> = {
        logp: [],
        entropy: [],
        logits: [],
      };
      const gradients = new Map<string, Float32Array>();
      let [loss, tokens] = [0, 0];
      for (const part of inParts(rows)) {
        const batch = layOutBatch(part, policy.base.config);
        const outputs = await session.run({ ...constant, ...batch.feeds });
        loss += numbersOf(outputs, "loss")[0] as number;
        tokens += batch.tokens;
        lists.logp.push(numbersOf(outputs, "logp"));
        lists.entropy.push(numbersOf(outputs, "entropy"));
        if (letters) lists.logits.push(numbersOf(outputs, "logits"));
        for (const name of graph.trained.keys()) {
          addTo(gradients, name, numbersOf(outputs, gradientName(name)));
        }
      }
      const { logp, entropy, logits } = lists;
      return {
        loss,
        logp: joined(logp),
        entropy: joined(entropy),
        logits: joined(logits),
        gradients,
        tokens,
      };
    },
    close: () => session.close(),
  };
}

/** Neighbouring rows, as many as {@link TOKENS_AT_ONCE} allows. */
function inParts(rows: readonly BatchRow[]): BatchRow[][] {
  const parts: BatchRow[][] = [];
  let longest = 0;
  for (const row of rows) {
    const last = parts.at(-1);
    const length = Math.max(longest, lengthOf(row));
    if (last !== undefined && length * (last.length + 1) <= TOKENS_AT_ONCE) {
      last.push(row);
      longest = length;
    } else {
      parts.push([row]);
      longest = lengthOf(row);
    }
  }
  return parts;
}

function lengthOf({ prompt, answers }: BatchRow): number {
  return answers.reduce((sum, { targets }) => sum + targets.length - 1, prompt.length);
}

function addTo(sums: Map<string, Float32Array>, name: string, part: Float32Array): void {
  const sum = sums.get(name);
  if (sum === undefined) sums.set(name, part);
  else for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (part[i] as number);
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
