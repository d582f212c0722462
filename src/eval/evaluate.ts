import { setImmediate } from "node:timers/promises";
import { SteerError } from "../core/errors.ts";
import type { Trace } from "../core/trace.ts";
import { requireVerified } from "../data/verify.ts";
import {
  type GenerateRequest,
  type Generation,
  isFailure,
  type LetterRequest,
  type LetterScores,
  type Model,
  type ModelFailure,
} from "../model/model.ts";
import { type LetterOrder, passOffsets } from "../result/decision.ts";
import { readAnswer } from "../result/read-answer.ts";
import { isErrorRow, type RunRow } from "../result/run-row.ts";
import type { RunHeader } from "../result/run-schema.ts";
import { openRun } from "../result/run-writer.ts";
import type { Repair } from "../result/torn-row.ts";
import { lettersAt } from "../task/letters.ts";
import { buildPrompt } from "../task/prompt.ts";
import { inBatches, type Task, tasksOf } from "./batches.ts";
import { chooseTraces } from "./chosen-traces.ts";
import { type FailureKind, makeFailureTally } from "./failures.ts";
import { InOrder } from "./in-order.ts";
import type { EvaluateOptions } from "./options.ts";
import { describeRun } from "./run-description.ts";

/** What an evaluation did. */
export interface EvaluateResult {
  /** Answers the run should hold in the end. */
  readonly total: number;
  /** Answers that were there before. */
  readonly found: number;
  /** Failures met now; asked again by the next `resume`. */
  readonly failed: number;
  readonly failures: readonly FailureKind[];
  /** What an interruption had left, and what was done about it. */
  readonly repair: Repair | null;
}

/**
 * Evaluates one arm: choose traces, describe the run, and then, batch by batch, prompt, ask, read
 * and store. Pricing and counting come later and read only what is stored.
 *
 * @throws SteerError `unverified` for a split that the set does not confirm, `usage` or
 *   `impossible` for options that cannot be met, `interrupted` once `signal` is aborted (finished
 *   answers stay), and whatever opening the run throws
 */
export async function evaluate(options: EvaluateOptions): Promise<EvaluateResult> {
  const { set, split, part = "test", limit, shard, out, resume = false, signal } = options;
  const rows = await requireVerified(set, split, { file: options.splitFile });
  const traces = chooseTraces(set, rows, { part, limit, shard });
  const header = describeRun(traces, { ...options, part });

  const run = await openRun(out, header, { resume });
  try {
    const todo = tasksOf(traces, header.samples).filter(({ key }) => !run.isFinished(key));
    const total = traces.length * header.samples;
    const found = total - todo.length;
    let [done, failed] = [found, 0];
    const tally = makeFailureTally();
    for (const batch of inBatches(todo, header.workers)) {
      // A model that answers at once would never let the event loop turn to notice Ctrl-C.
      await setImmediate();
      if (signal?.aborted) throw interrupted(out, done, total);
      const store = new InOrder<RunRow>((answers) => {
        run.append(answers);
        tally.add(answers);
        failed += answers.filter(isErrorRow).length;
        done += answers.length;
        options.onProgress?.(done, total);
      });
      try {
        await ask(batch, options.model, header, { signal, store });
      } catch (error) {
        // What came after an answer that is still missing is an answer all the same.
        if (!isUnwritable(error)) store.flush();
        throw signal?.aborted ? interrupted(out, done, total) : error;
      }
    }
    return { total, found, failed, failures: tally.kinds(), repair: run.repair };
  } finally {
    run.close();
  }
}

/** Where answers go as they come, and what stops the asking. */
interface Watching {
  readonly signal: AbortSignal | undefined;
  readonly store: InOrder<RunRow>;
}

function ask(
  tasks: readonly Task[],
  model: Model,
  header: RunHeader,
  watching: Watching,
): Promise<void> {
  return header.letters
    ? askForLetters(tasks, model, header.letters, watching)
    : askForText(tasks, model, header, watching);
}

/** The generative readout: the model writes, both parsers read. */
async function askForText(
  tasks: readonly Task[],
  model: Model,
  { seed, sampling, model: { endTokens } }: RunHeader,
  { signal, store }: Watching,
): Promise<void> {
  if (!sampling) throw new Error("a generative run has sampling parameters");
  const byTrace = [...new Set(tasks.map(({ trace }) => trace))];
  const requests = byTrace.flatMap((trace): GenerateRequest[] => {
    const samples = tasks.filter((task) => task.trace === trace).map(({ key }) => key.sample);
    const common = {
      id: trace.id,
      situation: situationOf(trace),
      messages: buildPrompt(trace, { readout: "generative" }),
    };
    // One request each, so that each is stored once it has ended; greedy ones are one answer.
    return sampling.temperature === 0
      ? [{ ...common, samples }]
      : samples.map((sample) => ({ ...common, samples: [sample] }));
  });
  const rowsOf = (place: number, answers: readonly (Generation | ModelFailure)[]): RunRow[] => {
    const { id, samples } = requests[place] as GenerateRequest;
    requireOneEach(samples, answers);
    return answers.map((answer, k) => {
      const key = { id, sample: samples[k] ?? 0 };
      return isFailure(answer)
        ? { ...key, error: answer.error }
        : { ...key, ...answer, ...readAnswer(answer, endTokens) };
    });
  };
  const onResult = (place: number, answers: readonly (Generation | ModelFailure)[]) =>
    store.put(place, rowsOf(place, answers));
  const results = await model.generate(requests, { ...sampling, seed }, { signal, onResult });
  requireOneEach(requests, results);
  store.putAll(results.map((answers, place) => [place, rowsOf(place, answers)]));
}

/** The decision readout: the model scores five letters, under one order of the choices or several. */
async function askForLetters(
  tasks: readonly Task[],
  model: Model,
  order: LetterOrder,
  { signal, store }: Watching,
): Promise<void> {
  const { rotations } = order;
  const requests = tasks.flatMap(({ trace }) =>
    passOffsets(trace.id, order).map(
      (offset): LetterRequest => ({
        id: trace.id,
        situation: situationOf(trace),
        messages: buildPrompt(trace, { readout: "decision", offset }),
        letters: lettersAt(offset),
      }),
    ),
  );
  const rowOf = (place: number, scores: readonly (LetterScores | ModelFailure)[]): RunRow => {
    const { trace, key } = tasks[place] as Task;
    const failure = scores.find(isFailure);
    if (failure) return { ...key, error: failure.error };
    const [first, ...others] = passOffsets(trace.id, order).map((offset, k) => {
      return { offset, ...(scores[k] as LetterScores) };
    });
    if (!first) throw new Error("a decision has at least one pass");
    const passes = [first, ...others] as const;
    return { ...key, passes, ...readAnswer({ passes }, []) };
  };
  const own = tasks.map((): (LetterScores | ModelFailure)[] => []);
  const onResult = (at: number, score: LetterScores | ModelFailure) => {
    const place = Math.floor(at / rotations);
    const scores = own[place] ?? [];
    scores[at % rotations] = score;
    // Orders of one trace may finish in any order, too.
    if (Object.keys(scores).length === rotations) store.put(place, [rowOf(place, scores)]);
  };
  const results = await model.scoreLetters(requests, { signal, onResult });
  requireOneEach(requests, results);
  store.putAll(
    tasks.map((_, place) => {
      const scores = results.slice(place * rotations, (place + 1) * rotations);
      return [place, [rowOf(place, scores)]];
    }),
  );
}

/** What a model may see of a trace besides its prompt: never the label or what tells it. */
function situationOf({ id, task, memory, observation }: Trace): GenerateRequest["situation"] {
  return { id, task, memory, observation };
}

/** A model that drops or adds a result would shift every later answer to another trace. */
function requireOneEach(asked: readonly unknown[], given: readonly unknown[]): void {
  if (asked.length === given.length) return;
  throw new Error(`the model gave ${given.length} results for ${asked.length} requests`);
}

function isUnwritable(error: unknown): boolean {
  return error instanceof SteerError && error.code === "unwritable";
}

function interrupted(out: string, done: number, total: number): SteerError {
  return new SteerError(
    "interrupted",
    `${out}: stopped after ${done} of ${total} answers, which are kept; finish it with --resume`,
  );
}
