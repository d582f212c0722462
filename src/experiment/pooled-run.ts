import type { Label } from "../core/intervention.ts";
import type { Run } from "../result/run-read.ts";
import type { AnswerRow } from "../result/run-row.ts";
import { goldAnswer } from "../task/prompt.ts";

/**
 * The runs of an arm under all its seeds as one, so that a trace counts once, with the mean over
 * seeds. An arm that needs no seed answers alike under each.
 *
 * @param runs greedy answers or letters, one to each trace
 */
export function poolSeeds(name: string, runs: readonly Run[], seeds: number): Run {
  const [first] = runs;
  if (first === undefined) throw new Error(`${name} has no run`);
  const ofSeed = Array.from({ length: seeds }, (_, k) => runs[k] ?? first);
  const all = ofSeed.flatMap((run, sample) => run.answers.map((row) => ({ ...row, sample })));
  return {
    path: name,
    header: { ...first.header, samples: seeds },
    traces: first.traces,
    answers: all,
    errors: runs.flatMap(({ errors }) => errors),
    pending: runs.reduce((sum, { pending }) => sum + pending, 0),
  };
}

/** What always naming one label would have answered where `run` did. */
export function constantRun(label: Label, run: Run): Run {
  const text = goldAnswer(label, "");
  const parse = { label };
  const answers = run.answers.map(({ id, sample }): AnswerRow => {
    return { id, sample, text, finish: "stop", tokens: null, strict: parse, lenient: parse };
  });
  const name = `always ${label}`;
  const { header } = run;
  return { ...run, path: name, header: { ...header, model: { ...header.model, name } }, answers };
}
