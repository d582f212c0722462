import type { Label } from "../core/intervention.ts";
import type { Trace } from "../core/trace.ts";
import type { Message } from "../task/prompt.ts";

/** Who answered: enough to make the run again. All values are plain JSON. */
export interface ModelDescription {
  /** The SPEC of the command line, such as `baseline:words`. */
  readonly spec: string;
  readonly name: string;
  /** sha256 of each file that decides the model's answers, by file name; empty when none does. */
  readonly files: Readonly<Record<string, string>>;
  /** Number format of the weights, such as `fp32`; null where there are none. */
  readonly dtype: string | null;
  /** End tokens of its own that may stand in its texts, besides those that the parser knows. */
  readonly endTokens: readonly string[];
  /** Anything else worth recording: quantisation, what it was fitted on, … */
  readonly details: Readonly<Record<string, unknown>>;
}

/** One prompt to answer. */
export interface GenerateRequest {
  readonly id: string;
  /** The situation's texts, for models that read no prompt. Never label, rationale or tempting. */
  readonly situation: Pick<Trace, "id" | "task" | "memory" | "observation">;
  readonly messages: readonly Message[];
  /**
   * Indices, from 0, of the samples to draw. Each index has a random stream of its own, made from
   * the seed, the id and the index, so that a resumed run draws what an unbroken one would.
   */
  readonly samples: readonly number[];
}

/** Sampling parameters of a run. */
export interface Sampling {
  /** 0 is greedy. */
  readonly temperature: number;
  readonly topP: number;
  readonly maxTokens: number;
  readonly seed: string;
  /** Also give the log-probability of each written token, where the model can. Default false. */
  readonly tokenLogprobs?: boolean | undefined;
}

/** One written answer. */
export interface Generation {
  /** What the model wrote after the prompt; the prompt is no part of it. */
  readonly text: string;
  /** Why it ended: `stop`, `length`, …; null when unknown. */
  readonly finish: string | null;
  /** Tokens written; null when unknown. */
  readonly tokens: number | null;
  /** Natural-log probability of each written token at temperature 1; only where asked for. */
  readonly tokenLogprobs?: readonly number[] | undefined;
  /** Thoughts that the model gave apart from its answer: no part of `text`. */
  readonly reasoning?: string | undefined;
}

/** One prompt whose next letter is to be scored; the choices stand last in `messages`. */
export interface LetterRequest {
  readonly id: string;
  readonly situation: GenerateRequest["situation"];
  readonly messages: readonly Message[];
  /** The labels that A to E stand for in this prompt. */
  readonly letters: readonly Label[];
}

/** Natural-log probabilities of the letters A to E as the next token, over the full vocabulary. */
export interface LetterScores {
  /** In letter order; -Infinity and NaN are passed on as they are. */
  readonly logprobs: readonly number[];
  /** Share of the full vocabulary's probability on the five letters, 0 to 1. */
  readonly letterMass: number;
}

/** A failure of the provider or the model: a value that becomes an error row, never an answer. */
export interface ModelFailure {
  readonly error: { readonly code: string; readonly message: string };
}

/** How a long call is followed, and ended early. */
export interface Watch<Result> {
  /** Once aborted, the call ends with SteerError `interrupted` after what is running now. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each result as soon as it is there, in any order. */
  readonly onResult?: ((index: number, result: Result) => void) | undefined;
}

/**
 * The one interface of everything that decides. Results come in the order of the requests, one
 * for each; what fails gives a {@link ModelFailure} at its place.
 */
export interface Model {
  /** Threads that answer side by side, and threads inside each one's calls; 1 where not stated. */
  readonly workers?: number;
  readonly threads?: number;
  describe(): ModelDescription;
  /** Answers each prompt, once for each sample asked for, in the order of `samples`. */
  generate(
    requests: readonly GenerateRequest[],
    sampling: Sampling,
    watch?: Watch<readonly (Generation | ModelFailure)[]>,
  ): Promise<readonly (readonly (Generation | ModelFailure)[])[]>;
  scoreLetters(
    requests: readonly LetterRequest[],
    watch?: Watch<LetterScores | ModelFailure>,
  ): Promise<readonly (LetterScores | ModelFailure)[]>;
  /** Frees what the model holds. May be called again. */
  close(): Promise<void>;
}

/** Whether a result is a failure. */
export function isFailure(
  result: Generation | LetterScores | ModelFailure,
): result is ModelFailure {
  return "error" in result;
}
