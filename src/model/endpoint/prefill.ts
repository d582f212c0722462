import type { Message } from "../../task/prompt.ts";
import type { ModelFailure } from "../model.ts";
import type { Ask } from "./connection.ts";
import { readUsage } from "./reply.ts";

/**
 * How an endpoint is made to go on with a begun answer, an assistant message that stands last.
 *
 * - `assistant_last`: it does so by itself
 * - `continue_final_message`: it does so when two fields ask for it, as vLLM and SGLang do
 * - `none`: it does not, or nobody can tell; it begins a new turn
 */
export type Prefill = "assistant_last" | "continue_final_message" | "none";

/** Fields of the request that each way adds. */
export const PREFILL_FIELDS: Readonly<Record<Prefill, Readonly<Record<string, boolean>>>> = {
  assistant_last: {},
  continue_final_message: { continue_final_message: true, add_generation_prompt: false },
  none: {},
};

/**
 * A begun answer that is as many tokens wherever it stands: a mark and a digit are split apart by
 * every tokenizer in use and do not merge with what is in front of them.
 */
const PIECE = "#7";
const QUESTION: Message = { role: "user", content: "Name a colour." };

/**
 * Finds out whether an endpoint goes on with a begun answer, by the prompt tokens it counts: with
 * no answer begun (n0), with `#7` begun (n1), with `#7#7` begun (n2). The second `#7` costs only
 * its own tokens, n2 − n1. If the first costs the same, n1 − n0, then nothing but the text was
 * added, so the turn was left open. Otherwise the turn was closed and a new one begun, whose
 * marks were counted, or the message was dropped (n2 = n1). This asks nothing of the model's wits.
 *
 * An endpoint that refuses such a message, or counts no tokens, gives `none`.
 */
export async function detectPrefill(
  ask: Ask,
  signal?: AbortSignal,
): Promise<Prefill | ModelFailure> {
  const countPrompt = countWith(ask, signal);
  const without = await countPrompt("none", "");
  if (typeof without !== "number") return without ?? "none";
  for (const prefill of ["assistant_last", "continue_final_message"] as const) {
    const once = refusedAsNull(await countPrompt(prefill, PIECE));
    if (typeof once === "object" && once !== null) return once;
    if (once === null) continue;
    const twice = refusedAsNull(await countPrompt(prefill, PIECE + PIECE));
    if (typeof twice === "object" && twice !== null) return twice;
    if (twice !== null && twice > once && once - without === twice - once) return prefill;
  }
  return "none";
}

/** Prompt tokens that the endpoint counts; null when it tells none. */
function countWith(ask: Ask, signal: AbortSignal | undefined) {
  return async (prefill: Prefill, begun: string): Promise<number | null | ModelFailure> => {
    const answer: Message[] = begun === "" ? [] : [{ role: "assistant", content: begun }];
    const body = { messages: [QUESTION, ...answer], max_tokens: 1, ...PREFILL_FIELDS[prefill] };
    const read = (reply: unknown) => readUsage(reply, "prompt_tokens");
    return ask(body, `prefill ${prefill} ${begun}`, read, signal);
  };
}

/** A status from an endpoint that answered a moment ago is a refusal, and so is a crash in its chat template. */
function refusedAsNull(count: number | null | ModelFailure): number | null | ModelFailure {
  const isRefusal =
    count !== null && typeof count === "object" && /^http_[45]xx$/.test(count.error.code);
  return isRefusal ? null : count;
}
