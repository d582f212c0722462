import { z } from "zod";
import { mergeVariants } from "../../stats/logprobs.ts";
import { LETTERS } from "../../task/letters.ts";
import type { LetterScores, ModelFailure } from "../model.ts";
import { checkShape, failed, readChoice } from "./reply.ts";

/** Most entries that the protocol lets one ask for. */
export const TOP_LOGPROBS = 20;

/** Stands in the protocol for "very unlikely"; no log-probability. */
const UNKNOWN_LOGPROB = -9999;

/** Probabilities in half precision may add up to a little over 1. */
const ROUNDING = 1e-3;

const topSchema = z.array(
  z.object({
    token: z.string(),
    logprob: z.number().max(ROUNDING, "must be a log-probability, at most 0"),
  }),
);

/**
 * The scores of A to E from the list of likely first tokens. A letter that the list does not hold
 * is not known: the item is `incomplete`, and no value stands in for it.
 */
export function readLetterScores(reply: unknown): LetterScores | ModelFailure {
  const choice = readChoice(reply);
  if ("error" in choice) return choice;
  const place = "choices[0].logprobs.content[0].top_logprobs";
  const list = topLogprobs(choice.logprobs);
  if (!Array.isArray(list) || list.length === 0) {
    const what = "the endpoint or this model gives no log-probabilities";
    return failed("no_logprobs", `${what}: the reply has no ${place}`);
  }
  const top = checkShape(topSchema, list, place);
  if ("error" in top) return top;

  const known = top.filter(({ logprob }) => logprob > UNKNOWN_LOGPROB);
  const found = mergeVariants(
    known.map(({ token, logprob }) => [token, Math.exp(logprob)] as const),
    LETTERS,
  );
  const missing = LETTERS.filter((letter) => found[letter] === undefined);
  if (missing.length > 0) {
    const which = `${missing.join(", ")} not among the ${list.length} most likely tokens`;
    const shown = known.slice(0, 5).map(({ token }) => JSON.stringify(token));
    return failed("incomplete", `${which}, which begin ${shown.join(" ")}`);
  }
  const probabilities = LETTERS.map((letter) => found[letter] as number);
  const mass = probabilities.reduce((sum, p) => sum + p, 0);
  if (mass > 1 + ROUNDING) {
    return failed(
      "bad_reply",
      `bad reply: the probabilities of A to E in ${place} add up to ${mass}`,
    );
  }
  return {
    logprobs: probabilities.map((p) => Math.min(0, Math.log(p))),
    letterMass: Math.min(1, mass),
  };
}

/** The list at the first token, whatever else is there. */
function topLogprobs(logprobs: unknown): unknown {
  const shape = z.object({
    content: z.tuple([z.object({ top_logprobs: z.unknown().optional() })], z.unknown()),
  });
  const { data } = shape.safeParse(logprobs);
  return data?.content[0].top_logprobs;
}
