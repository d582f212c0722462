import { DECISION_PREFIX } from "../../task/prompt.ts";
import type { LetterRequest, LetterScores, ModelFailure, Watch } from "../model.ts";
import type { Job } from "./job.ts";
import { type ModelParts, runtimeFailure, sharedTokens } from "./model-parts.ts";
import { type Prompt, planScoring } from "./plan-units.ts";
import { Results } from "./results.ts";

/**
 * The decision readout: encode every prompt, find its letters, read what prompts share once, and
 * take the letters' log-probabilities behind each.
 *
 * @throws SteerError `mismatch`, before anything is read, when the letters cannot be told apart
 */
export async function scoreRequests(
  parts: ModelParts,
  requests: readonly LetterRequest[],
  { signal, onResult }: Watch<LetterScores | ModelFailure>,
): Promise<(LetterScores | ModelFailure)[]> {
  const [first] = requests;
  if (first === undefined) return [];
  const results = new Results(requests.length, onResult);
  const prompts = new Map<number, Prompt<readonly number[]>>();
  requests.forEach(({ messages }, item) => {
    const chat = parts.encoder.encode(messages, DECISION_PREFIX, 0);
    if ("error" in chat) results.set(item, chat);
    else prompts.set(item, { ids: chat.ids, wanted: parts.encoder.letterIds(chat) });
  });

  const units = planScoring(prompts, sharedTokens(parts, prompts, first.messages));
  const jobs = units.map((unit): Job => ({ kind: "score", unit }));
  await parts.pool.run(
    jobs,
    {
      onEvent(_, event) {
        if (event.kind === "scored") results.set(event.item, event.scores);
      },
      onFailure(job, message) {
        const items = units[job]?.letterIds.keys() ?? [];
        for (const item of items) results.setMissing(item, runtimeFailure(message));
      },
    },
    signal,
  );
  return results.all();
}
