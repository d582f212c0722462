import { SteerError } from "../core/errors.ts";
import type { Label } from "../core/intervention.ts";
import { randomStream } from "../core/random.ts";
import type { Domain, Trace } from "../core/trace.ts";
import { lettersAt, offsetOf } from "../task/letters.ts";
import { byOutcome, isCutOff, type Outcome } from "../task/outcome.ts";
import type { LenientParse, Letters, StrictParse } from "../task/parse/types.ts";
import { buildPrompt, type Message, type Readout } from "../task/prompt.ts";
import { SCHEMES, type Scheme } from "../task/scheme.ts";
import { type Payment, score } from "../task/score.ts";

/** What an episode shows besides the prompt. The gold label is not among it. */
export interface ResetInfo {
  readonly traceId: string;
  readonly family: string;
  readonly domain: Domain;
  /** The labels that A to E stand for, in the decision readout. */
  readonly letters: Letters | null;
}

/** What became of the answer. */
export interface StepInfo extends ResetInfo {
  readonly gold: Label;
  readonly rationale: string;
  readonly outcome: Outcome;
  readonly strict: StrictParse;
  readonly lenient: LenientParse;
  /** What every scheme of the environment pays, by name. */
  readonly rewards: Readonly<Record<string, number>>;
  /** Every outcome as its own number, 1 for the one that happened and 0 for the others. */
  readonly metrics: Readonly<Record<Outcome, 0 | 1>>;
}

/** The result of the one step. */
export interface StepResult {
  /** Empty: the episode is over. */
  readonly observation: readonly Message[];
  readonly reward: number;
  readonly terminated: true;
  /** Whether the answer hit its token limit. */
  readonly truncated: boolean;
  readonly info: StepInfo;
}

/** How a {@link SteerEnv} is set up. */
export interface SteerEnvOptions {
  readonly traces: readonly Trace[];
  /** The id lists of a split. Without one, all traces given are played. */
  readonly split?: { readonly train: readonly string[]; readonly test: readonly string[] };
  /** Default `train`. Held-out traces need `allowTest` as well. */
  readonly part?: "train" | "test";
  readonly allowTest?: boolean;
  /** Default `generative`. */
  readonly readout?: Readout;
  /** The scheme that gives the reward; default asymmetric. */
  readonly scheme?: Scheme;
  /** Fixes the order in which traces come. */
  readonly seed: number | string;
}

/**
 * One decision an episode, in the shape of a Gym environment: `reset` shows a situation, the one
 * `step` takes the answer. Traces come in a seeded random order, with replacement.
 */
export class SteerEnv {
  readonly #traces: ReadonlyMap<string, Trace>;
  readonly #ids: readonly string[];
  readonly #readout: Readout;
  readonly #scheme: Scheme;
  readonly #schemes: readonly Scheme[];
  #random: () => number;
  #current: { readonly trace: Trace; readonly info: ResetInfo } | null = null;

  /** @throws SteerError `held_out` for test traces without `allowTest`, `impossible` for no traces */
  constructor({
    traces,
    split,
    part = "train",
    allowTest = false,
    seed,
    ...rest
  }: SteerEnvOptions) {
    if (part === "test" && !allowTest) {
      throw new SteerError("held_out", "test traces are held out: pass allowTest to play on them");
    }
    const chosen = split ? new Set(split[part]) : null;
    const played = traces.filter((trace) => chosen?.has(trace.id) ?? true);
    if (played.length === 0) throw new SteerError("impossible", `no ${part} traces to play`);
    this.#traces = new Map(played.map((trace) => [trace.id, trace]));
    // The order of the file must not decide which trace a seed brings.
    this.#ids = [...this.#traces.keys()].sort();
    this.#readout = rest.readout ?? "generative";
    this.#scheme = rest.scheme ?? SCHEMES.asymmetric;
    const byName = { ...SCHEMES, [this.#scheme.name]: this.#scheme };
    this.#schemes = Object.values(byName);
    this.#random = randomStream(seed, "env");
  }

  /**
   * Begins an episode.
   *
   * @param seed begins the order of traces anew
   * @param traceId plays this trace instead of the next one
   * @throws SteerError `not_found` when the environment has no such trace
   */
  reset({ seed, traceId }: { readonly seed?: number | string; readonly traceId?: string } = {}): {
    readonly observation: readonly Message[];
    readonly info: ResetInfo;
  } {
    if (seed !== undefined) this.#random = randomStream(seed, "env");
    const id = traceId ?? this.#ids[Math.floor(this.#random() * this.#ids.length)] ?? "";
    const trace = this.#traces.get(id);
    if (!trace) throw new SteerError("not_found", `no trace ${id} on the side that is played`);
    const offset = offsetOf(id);
    const isDecision = this.#readout === "decision";
    const info: ResetInfo = {
      traceId: id,
      family: trace.family,
      domain: trace.domain,
      letters: isDecision ? lettersAt(offset) : null,
    };
    this.#current = { trace, info };
    const readout = isDecision
      ? ({ readout: "decision", offset } as const)
      : ({ readout: "generative" } as const);
    return { observation: buildPrompt(trace, readout), info };
  }

  /**
   * Takes the answer: text, or in the decision readout also a bare letter.
   *
   * @param finish why the answer ended, where known; `length` makes it cut off
   * @throws SteerError `state` before `reset` and after the episode's one step
   */
  step(answer: string, finish?: string | null): StepResult {
    if (!this.#current) {
      throw new SteerError("state", "the episode is over or was never begun: call reset() first");
    }
    const { trace, info } = this.#current;
    this.#current = null;
    const letters = info.letters ?? undefined;
    const result = score({ answer, finish, gold: trace.label, letters }, this.#schemes);
    const { outcome, reward } = result.payments[this.#scheme.name] as Payment;
    const rewards = Object.fromEntries(
      Object.entries(result.payments).map(([name, payment]) => [name, payment.reward]),
    );
    return {
      observation: [],
      reward,
      terminated: true,
      truncated: isCutOff(finish),
      info: {
        ...info,
        gold: trace.label,
        rationale: trace.rationale,
        outcome,
        strict: result.strict,
        lenient: result.lenient,
        rewards,
        metrics: byOutcome((each) => (each === outcome ? 1 : 0)),
      },
    };
  }
}
