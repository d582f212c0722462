import { SteerError } from "../../core/errors.ts";
import { logSumExp } from "./log-softmax.ts";
import type { DecoderSession } from "./session.ts";

/** The log-probability of a text behind a prompt. */
export interface Continuation {
  /** Sum over the scored tokens. */
  readonly logprob: number;
  /** Of each scored token; never empty. */
  readonly tokenLogprobs: readonly number[];
  /**
   * Whether the text's first token takes in the end of the prompt. Then the sum begins with that
   * token and so counts some of the prompt as well.
   */
  readonly merged: boolean;
}

/** The joint ids of a prompt and a text, and where scoring begins. */
export interface JointIds {
  readonly ids: readonly number[];
  /** Index of the first scored token, at least 1. */
  readonly from: number;
  readonly merged: boolean;
}

/**
 * Encodes a prompt and a text as one, the way a model meets them. Scored is what follows the
 * prompt's own ids; where a token spans the border, everything from that token on.
 *
 * @throws SteerError `invalid` when no token, or none with a token before it, is left to score
 */
export function encodeJointly(
  encode: (text: string) => number[],
  prompt: string,
  text: string,
): JointIds {
  const before = encode(prompt);
  const ids = encode(prompt + text);
  const parts = before.findIndex((id, i) => ids[i] !== id);
  const from = parts < 0 ? before.length : parts;
  if (from < 1 || from >= ids.length) {
    const what = from < 1 ? "no prompt token stands before" : "no token is added by";
    throw new SteerError("invalid", `${what} the text ${JSON.stringify(text.slice(0, 40))}`);
  }
  return { ids, from, merged: parts >= 0 };
}

/** Log-probabilities of `ids` from `from` on, each at the position before it, in one call. */
export async function scoreContinuation(
  session: DecoderSession,
  { ids, from, merged }: JointIds,
): Promise<Continuation> {
  const scored = ids.slice(from);
  const { logits } = await session.run({
    rows: [ids.slice(0, -1)],
    cache: session.empty,
    last: scored.length,
    keep: "nothing",
  });
  const tokenLogprobs = scored.map((id, k) => {
    const values = logits(0, k);
    return (values[id] as number) - logSumExp(values);
  });
  return { logprob: tokenLogprobs.reduce((sum, value) => sum + value, 0), tokenLogprobs, merged };
}
