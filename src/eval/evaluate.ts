import { setImmediate } from "node:timers/promises";
import { SteerError } from "../core/errors.ts";
import type { Trace } from "../core/trace.ts";
import { requireVerified } from "../data/verify.ts";
import {
  type GenerateRequest,
  isFailure,
  type LetterRequest,
  type LetterScores,
  type Model,
} from "../model/model.ts";
import { type LetterOrder, passOffsets } from "../result/decision.ts";
import { readAnswer } from "../result/read-answer.ts";
import { isErrorRow, type RowKey, type RunRow } from "../result/run-row.ts";
import type { RunHeader } from "../result/run-schema.ts";
import { openRun } from "../result/run-writer.ts";
import type { Repair } from "../result/torn-row.ts";
import { lettersAt } from "../task/letters.ts";
import { buildPrompt } from "../task/prompt.ts";
import { chooseTraces } from "./chosen-traces.ts";
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
  /** What an interruption had left, and what was done about it. */
  readonly repair: Repair | null;
}

/** Traces asked at once: few, so that a kill loses little. */
const BATCH = 16;

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
    const todo = keysOf(traces, header).filter(({ key }) => !run.isFinished(key));
    const total = traces.length * header.samples;
    const found = total - todo.length;
    let [done, failed] = [found, 0];
    for (const batch of inBatches(todo)) {
      // A model that answers at once would never let the event loop turn to notice Ctrl-C.
      await setImmediate();
      if (signal?.aborted) throw interrupted(out, done, total);
      const answers = await ask(batch, options.model, header);
      run.append(answers);
      failed += answers.filter(isErrorRow).length;
      done += answers.length;
      options.onProgress?.(done, total);
    }
    return { total, found, failed, repair: run.repair };
  } finally {
    run.close();
  }
}

/** An answer to ask for. */
interface Task {
  readonly trace: Trace;
  readonly key: RowKey;
}

function ask(tasks: readonly Task[], model: Model, header: RunHeader): Promise<RunRow[]> {
  return header.letters
    ? askForLetters(tasks, model, header.letters)
    : askForText(tasks, model, header);
}

/** The generative readout: the model writes, both parsers read. */
async function askForText(
  tasks: readonly Task[],
  model: Model,
  { seed, sampling, model: { endTokens } }: RunHeader,
): Promise<RunRow[]> {
  if (!sampling) throw new Error("a generative run has sampling parameters");
  const byTrace = [...new Set(tasks.map(({ trace }) => trace))];
  const requests = byTrace.map(
    (trace): GenerateRequest => ({
      id: trace.id,
      situation: situationOf(trace),
      messages: buildPrompt(trace, { readout: "generative" }),
      samples: tasks.filter((task) => task.trace === trace).map(({ key }) => key.sample),
    }),
  );
  const results = await model.generate(requests, { ...sampling, seed });
  requireOneEach(requests, results);
  return requests.flatMap(({ id, samples }, i) => {
    const answers = results[i] ?? [];
    requireOneEach(samples, answers);
    return answers.map((answer, k): RunRow => {
      const key = { id, sample: samples[k] ?? 0 };
      return isFailure(answer)
        ? { ...key, error: answer.error }
        : { ...key, ...answer, ...readAnswer(answer, endTokens) };
    });
  });
}

/** The decision readout: the model scores five letters, under one order of the choices or several. */
async function askForLetters(
  tasks: readonly Task[],
  model: Model,
  order: LetterOrder,
): Promise<RunRow[]> {
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
  const results = await model.scoreLetters(requests);
  requireOneEach(requests, results);
  return tasks.map(({ trace, key }, i): RunRow => {
    const own = results.slice(i * order.rotations, (i + 1) * order.rotations);
    const failure = own.find(isFailure);
    if (failure) return { ...key, error: failure.error };
    const [first, ...others] = passOffsets(trace.id, order).map((offset, k) => {
      return { offset, ...(own[k] as LetterScores) };
    });
    if (!first) throw new Error("a decision has at least one pass");
    const passes = [first, ...others] as const;
    return { ...key, passes, ...readAnswer({ passes }, []) };
  });
}

/** What a model may see of a trace besides its prompt: never the label or what tells it. */
function situationOf({ id, task, memory, observation }: Trace): GenerateRequest["situation"] {
  return { id, task, memory, observation };
}

function keysOf(traces: readonly Trace[], { samples }: RunHeader): Task[] {
  return traces.flatMap((trace) =>
    Array.from({ length: samples }, (_, sample) => ({ trace, key: { id: trace.id, sample } })),
  );
}

/** Whole traces, so that the samples of one trace are drawn from one request. */
function inBatches(tasks: readonly Task[]): Task[][] {
  const traces = [...new Set(tasks.map(({ trace }) => trace))];
  const numbers = new Map(traces.map((trace, number) => [trace, Math.floor(number / BATCH)]));
  const batches = Array.from({ length: Math.ceil(traces.length / BATCH) }, (): Task[] => []);
  for (const task of tasks) batches[numbers.get(task.trace) ?? 0]?.push(task);
  return batches;
}

/** A model that drops or adds a result would shift every later answer to another trace. */
function requireOneEach(asked: readonly unknown[], given: readonly unknown[]): void {
  if (asked.length === given.length) return;
  throw new Error(`the model gave ${given.length} results for ${asked.length} requests`);
}

function interrupted(out: string, done: number, total: number): SteerError {
  return new SteerError(
    "interrupted",
    `${out}: stopped after ${done} of ${total} answers, which are kept; finish it with --resume`,
  );
}
