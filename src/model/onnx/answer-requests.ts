import type { GenerateRequest, Generation, ModelFailure, Sampling, Watch } from "../model.ts";
import type { Asked } from "./generate.ts";
import type { Job } from "./job.ts";
import { type ModelParts, runtimeFailure, sharedTokens } from "./model-parts.ts";
import { type Prompt, planGenerating } from "./plan-units.ts";
import { Results } from "./results.ts";

type Answer = Generation | ModelFailure;

/** The generative readout: encode every prompt, read what prompts share once, and write. */
export async function answerRequests(
  parts: ModelParts,
  requests: readonly GenerateRequest[],
  sampling: Sampling,
  { signal, onResult }: Watch<readonly Answer[]>,
): Promise<(readonly Answer[])[]> {
  const [first] = requests;
  if (first === undefined) return [];
  const results = new Results<readonly Answer[]>(requests.length, onResult);
  const prompts = new Map<number, Prompt<Asked>>();
  const answers = requests.map(() => new Map<number, Answer>());
  requests.forEach(({ id, messages, samples }, item) => {
    const chat = parts.encoder.encode(messages, "", 1);
    if ("error" in chat)
      results.set(
        item,
        samples.map(() => chat),
      );
    else if (samples.length === 0) results.set(item, []);
    else prompts.set(item, { ids: chat.ids, wanted: { id, samples } });
  });

  const take = (item: number, sample: number, answer: Answer) => {
    const own = answers[item] as Map<number, Answer>;
    if (own.has(sample)) return;
    own.set(sample, answer);
    const samples = prompts.get(item)?.wanted.samples ?? [];
    if (samples.every((each) => own.has(each))) {
      results.set(
        item,
        samples.map((each) => own.get(each) as Answer),
      );
    }
  };
  const units = planGenerating(prompts, sharedTokens(parts, prompts, first.messages));
  const jobs = units.map((unit): Job => ({ kind: "generate", unit, sampling }));
  await parts.pool.run(
    jobs,
    {
      onEvent(_, event) {
        if (event.kind === "written") take(event.item, event.sample, event.answer);
      },
      onFailure(job, message) {
        for (const [item, { samples }] of units[job]?.asked ?? []) {
          for (const sample of samples) take(item, sample, runtimeFailure(message));
        }
      },
    },
    signal,
  );
  return results.all();
}
