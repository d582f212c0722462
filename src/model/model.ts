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
  /** Anything else worth recording: dtype, quantisation, fitted-on digest, … */
  readonly details: Readonly<Record<string, unknown>>;
}

/** One prompt to answer. */
export interface GenerateRequest {
  readonly id: string;
  /** The situation's texts, for models that read no prompt. Never label, rationale or tempting. */
  readonly situation: Pick<Trace, "id" | "task" | "memory" | "observation">;
  readonly messages: readonly Message[];
  readonly samples: number;
}

/** Sampling parameters of a run. */
export interface Sampling {
  /** 0 is greedy. */
  readonly temperature: number;
  readonly topP: number;
  readonly maxTokens: number;
  readonly seed: string;
}

/** One written answer. */
export interface Generation {
  readonly text: string;
  readonly finish: string | null;
  readonly tokens: number | null;
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

/**
 * The one interface of everything that decides. Results come in the order of the requests, and a
 * failed request gives a {@link ModelFailure} at its place.
 */
export interface Model {
  describe(): ModelDescription;
  /** Answers each prompt `samples` times. */
  generate(
    requests: readonly GenerateRequest[],
    sampling: Sampling,
  ): Promise<readonly (readonly Generation[] | ModelFailure)[]>;
  scoreLetters(
    requests: readonly LetterRequest[],
  ): Promise<readonly (LetterScores | ModelFailure)[]>;
  close(): Promise<void>;
}
