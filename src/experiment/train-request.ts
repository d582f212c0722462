import type { TrainRequest } from "../train/plan.ts";
import { trainedFolder } from "./arms.ts";
import { type Experiment, schemeOf, type TrainedArmSpec } from "./experiment-file.ts";

/** The training run of an arm under a seed; it goes on with whatever its folder holds. */
export function trainRequest(
  experiment: Experiment,
  spec: TrainedArmSpec,
  { seed, out }: { readonly seed: string; readonly out: string },
): Omit<TrainRequest, "set" | "split" | "onProgress"> {
  const { split, model, threads, adapter } = experiment;
  const { method, limit, batch, epochs, learningRate, warmUp, saveEvery } = spec;
  return {
    method,
    splitFile: split,
    model,
    from: spec.method === "rl" ? trainedFolder(out, seed, spec.from) : null,
    lora: method === "head" ? null : adapter,
    limit,
    validation: 0,
    batch,
    length: { epochs },
    learningRate,
    warmUp,
    saveEvery,
    seed,
    rollouts: spec.method === "rl" ? rolloutsOf(spec) : null,
    threads,
    out: trainedFolder(out, seed, spec.name),
    resume: true,
  };
}

function rolloutsOf(
  spec: Extract<TrainedArmSpec, { readonly method: "rl" }>,
): NonNullable<TrainRequest["rollouts"]> {
  const { samples, temperature, maxTokens, divideBy } = spec;
  return { scheme: schemeOf(spec.scheme), samples, temperature, maxTokens, divideBy };
}
