import type { Message } from "../../task/prompt.ts";
import type { ModelFailure } from "../model.ts";
import type { JobPool } from "./job-pool.ts";
import type { Prompt, SharedTokens } from "./plan-units.ts";
import type { PromptEncoder } from "./prompt-encoder.ts";

/** What answering requests needs of an opened model. */
export interface ModelParts {
  readonly encoder: PromptEncoder;
  readonly pool: JobPool;
  readonly sharePrefixes: boolean;
}

/** The tokens to read once for these prompts, all of which come from chats like `messages`. */
export function sharedTokens(
  { encoder, sharePrefixes }: ModelParts,
  prompts: ReadonlyMap<number, Prompt<unknown>>,
  messages: readonly Message[],
): SharedTokens {
  if (!sharePrefixes) return null;
  const shared = encoder.sharedIds(messages);
  const fits = [...prompts.values()].every(
    ({ ids }) => ids.length > shared.length && shared.every((id, i) => id === ids[i]),
  );
  return fits ? shared : [];
}

/** A call of the graph that failed, as the value of the items it was for. */
export function runtimeFailure(message: string): ModelFailure {
  return { error: { code: "runtime", message } };
}
