import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { softmax } from "../stats/calibration.ts";
import { type LabelProbabilities, pickHighest } from "../task/choice.ts";
import { LETTERS, letterOf, offsetOf } from "../task/letters.ts";

/** The five letters' scores under one order of the choices. */
export interface LetterPass {
  /** Letter k (A = 0) stood for LABELS[(k + offset) mod 5]. */
  readonly offset: number;
  /** Natural-log probabilities in letter order. */
  readonly logprobs: readonly number[];
  /** Share of the full vocabulary's probability on the five letters. */
  readonly letterMass: number;
}

/** Why a decision names no label. */
export type NoPick = "tie" | "not_finite";

/** What a decision's letter scores say. */
export interface Decision {
  /** Each label's probability among the five, averaged over the passes; null when not finite. */
  readonly probabilities: LabelProbabilities | null;
  readonly pick: { readonly label: Label } | { readonly label: null; readonly reason: NoPick };
  /** Whether two different probabilities at the top lie closer than {@link NEAR_TIE}. */
  readonly isNearTie: boolean;
}

/**
 * Two labels whose log-probabilities lie closer than this, in nats, are a near tie: half-precision
 * weights and other batch sizes move a score by about 0.004, so the pick may not be repeatable.
 */
export const NEAR_TIE = 0.01;

/**
 * Reads a decision: softmax over the five letters of each pass, each label's probability averaged
 * over the passes, the highest one picked. An exact tie at the top is no pick, and neither is a
 * pass with a NaN or without any finite score.
 */
export function readDecision(passes: readonly LetterPass[]): Decision {
  if (!passes.every(({ logprobs }) => isScored(logprobs))) {
    return {
      probabilities: null,
      pick: { label: null, reason: "not_finite" },
      isNearTie: false,
    };
  }
  const byLetter = passes.map(({ offset, logprobs }) => ({ offset, p: softmax(logprobs) }));
  const probabilities = byLabel((label) =>
    mean(byLetter.map(({ offset, p }) => p[letterIndex(label, offset)] ?? Number.NaN)),
  );
  const label = pickHighest(probabilities);
  return {
    probabilities,
    pick: label === null ? { label, reason: "tie" } : { label },
    isNearTie: label !== null && topGap(probabilities) < NEAR_TIE,
  };
}

/** Where the letters of a run begin, and how many orders of the choices are averaged. */
export interface LetterOrder {
  /** `trace`: at the offset made from the trace's id. `fixed`: at 0 for every trace. */
  readonly order: "trace" | "fixed";
  /** 1 to 5. */
  readonly rotations: number;
}

/** The offsets under which a trace is shown, its own first. */
export function passOffsets(traceId: string, { order, rotations }: LetterOrder): number[] {
  const own = order === "fixed" ? 0 : offsetOf(traceId);
  return Array.from({ length: rotations }, (_, k) => (own + k) % LABELS.length);
}

/** Position among A to E of the letter that stands for a label under an offset. */
export function letterIndex(label: Label, offset: number): number {
  return LETTERS.indexOf(letterOf(label, offset));
}

function isScored(logprobs: readonly number[]): boolean {
  return (
    logprobs.some(Number.isFinite) &&
    logprobs.every((value) => !Number.isNaN(value) && value !== Number.POSITIVE_INFINITY)
  );
}

/** Summed in order of size: a model that only sees positions gives all labels the same values in different orders, and must tie. */
function mean(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Distance in nats between the two highest probabilities. */
function topGap(probabilities: LabelProbabilities): number {
  const [first = 0, second = 0] = LABELS.map((label) => probabilities[label]).sort((a, b) => b - a);
  return Math.log(first) - Math.log(second);
}
