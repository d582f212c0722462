import { SteerError } from "../../core/errors.ts";
import type { Generation, LetterScores, ModelFailure, Sampling } from "../model.ts";
import { type Continuation, type JointIds, scoreContinuation } from "./continuation.ts";
import { type GenerateUnit, generateUnit } from "./generate.ts";
import { type ScoreUnit, scoreUnit } from "./score-letters.ts";
import { type DecoderSession, openSession, type SessionSource } from "./session.ts";
import { makeTokenizer, type TextTokenizer } from "./tokenizer.ts";
import type { PathMemory } from "./walk-tree.ts";

/** A piece of work for one session. Plain data, so that it can go to a worker. */
export type Job =
  | { readonly kind: "score"; readonly unit: ScoreUnit }
  | { readonly kind: "generate"; readonly unit: GenerateUnit; readonly sampling: Sampling }
  | { readonly kind: "continue"; readonly joint: JointIds };

/** A result of a job, as soon as it is there. */
export type JobEvent =
  | { readonly kind: "scored"; readonly item: number; readonly scores: LetterScores }
  | {
      readonly kind: "written";
      readonly item: number;
      readonly sample: number;
      readonly answer: Generation | ModelFailure;
    }
  | { readonly kind: "continued"; readonly continuation: Continuation };

/** Everything that running jobs needs of a model; plain data. */
export interface JobSource extends SessionSource {
  readonly tokenizer: Readonly<Record<string, unknown>>;
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  readonly endIds: readonly number[];
  readonly contextLength: number;
}

/** One session and what it remembers from job to job. */
export interface JobRunner {
  /** @throws SteerError `interrupted` before the next call of the graph once `isStopped` */
  run(job: Job, emit: (event: JobEvent) => void, isStopped: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Loads a model's weights once. */
export async function openJobRunner(source: JobSource): Promise<JobRunner> {
  const session = await openSession(source);
  const memory: PathMemory = { steps: [] };
  const endIds = new Set(source.endIds);
  let tokenizer: TextTokenizer | undefined;
  const decode = (ids: readonly number[]) => {
    // Only written answers need it, and a large vocabulary takes a second to load.
    tokenizer ??= makeTokenizer(source.tokenizer, source.tokenizerConfig);
    return tokenizer.decode(ids);
  };
  return {
    async run(job, emit, isStopped) {
      const stoppable = makeStoppable(session, isStopped);
      switch (job.kind) {
        case "score":
          return scoreUnit(stoppable, job.unit, memory, (item, scores) =>
            emit({ kind: "scored", item, scores }),
          );
        case "generate":
          return generateUnit(stoppable, job.unit, memory, {
            sampling: job.sampling,
            decode,
            endIds,
            contextLength: source.contextLength,
            emit: (item, sample, answer) => emit({ kind: "written", item, sample, answer }),
          });
        case "continue": {
          const continuation = await scoreContinuation(stoppable, job.joint);
          return emit({ kind: "continued", continuation });
        }
      }
    },
    close: () => session.release(),
  };
}

function makeStoppable(session: DecoderSession, isStopped: () => boolean): DecoderSession {
  return {
    ...session,
    async run(call) {
      if (isStopped()) throw new SteerError("interrupted", "the model was stopped");
      return session.run(call);
    },
  };
}
