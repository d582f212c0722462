import { SteerError } from "../core/errors.ts";
import { digest } from "../core/hash.ts";
import type { Trace } from "../core/trace.ts";
import { explainIssues } from "../data/explain.ts";
import type { Part } from "../data/types.ts";
import { situationsDigest } from "../result/run-header.ts";
import { type RunHeader, type RunTrace, runHeaderSchema } from "../result/run-schema.ts";
import { PROMPT_VERSION, situationHash, templateHash } from "../task/prompt.ts";
import { SCORER_VERSION } from "../task/score.ts";
import type { EvaluateOptions } from "./options.ts";

/**
 * The header of a run: everything that decides its answers.
 *
 * @throws SteerError `usage` listing the options that are out of range
 */
export function describeRun(
  traces: readonly Trace[],
  options: EvaluateOptions & { readonly part: Part },
): RunHeader {
  const { set, split, part, model, readout, seed, limit, shard } = options;
  const { spec, name, files, dtype, endTokens, details } = model.describe();
  const described = traces.map(describeTrace);
  const header = {
    version: 1,
    model: { spec, name, files, dtype, endTokens, details },
    readout: readout.readout,
    prompt: { version: PROMPT_VERSION, template: templateHash(readout.readout) },
    set: { name: set.name, digest: set.digest },
    split: { digest: digest(split), part },
    files: set.files,
    scorer: { version: SCORER_VERSION, vectors: options.vectors ?? null },
    seed,
    ...readoutFields(readout),
    workers: model.workers ?? 1,
    threads: model.threads ?? 1,
    limit: limit ?? null,
    shard: shard ?? null,
    situations: situationsDigest(described),
    traces: described,
  };
  const result = runHeaderSchema.safeParse(header);
  if (result.success) return result.data;
  const faults = explainIssues(result.error, header, runHeaderSchema).map((fault) => ({
    file: "eval",
    ...fault,
  }));
  throw SteerError.fromFaults("usage", faults);
}

function describeTrace(trace: Trace): RunTrace {
  const { id, family, domain, label: gold, also } = trace;
  const common = { id, family, domain, gold };
  return { ...common, ...(also && { also }), situation: situationHash(trace) };
}

function readoutFields(
  readout: EvaluateOptions["readout"],
): Pick<RunHeader, "sampling" | "samples" | "letters"> {
  switch (readout.readout) {
    case "generative": {
      const { samples, temperature, topP, maxTokens } = readout;
      return { sampling: { temperature, topP, maxTokens }, samples, letters: null };
    }
    case "decision": {
      const { order, rotations } = readout;
      return { sampling: null, samples: 1, letters: { order, rotations } };
    }
  }
}
