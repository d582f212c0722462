import { z } from "zod";
import { SKIP_REASONS, type SkipReason } from "../env/group.ts";
import { byOutcome, type Outcome } from "../task/outcome.ts";

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/**
 * One line of `metrics.jsonl`: a training step, or a look at the validation part after one. Null
 * where a method has no such number.
 */
export const metricsRowSchema = z.strictObject({
  /** Steps made so far, this one included; 0 is before the first. */
  step: count,
  part: z.enum(["train", "validation"]),
  /** What was minimised; of RL, a sum without a scale of its own. Null where nothing was trained. */
  loss: z.number().nullable(),
  /** Mean price of the answers. */
  reward: z.number().nullable(),
  /** Answers by what became of them. */
  outcomes: z.strictObject(byOutcome(() => count)).nullable(),
  /** Share of answers that name a label, by the parse that the scheme reads. */
  readableShare: share.nullable(),
  /** Groups of answers to one prompt. */
  groups: count.nullable(),
  /** Share of the groups that carried no signal, by reason. */
  skipShare: z.strictObject(bySkipReason(() => share)).nullable(),
  /** Mean over the answers' tokens of the choices' entropy, in nats. */
  entropy: z.number().nullable(),
  /** Tokens that the loss and its gradient read, prompts included. */
  tokens: count,
  /** Tokens of answers: those that the loss is over, or that were sampled. */
  answerTokens: count,
  gradientNorm: z.number().nullable(),
  learningRate: z.number().nullable(),
  /** By the clock on the wall; the only number that another run of the same seed need not share. */
  seconds: z.number().min(0),
});

/** See {@link metricsRowSchema}. */
export type MetricsRow = z.infer<typeof metricsRowSchema>;

/** What a method says of a step; the loop adds which step it was and how long it took. */
export type StepFigures = Omit<MetricsRow, "step" | "part" | "seconds">;

/** Nothing known yet. */
export const NO_FIGURES: StepFigures = {
  loss: null,
  reward: null,
  outcomes: null,
  readableShare: null,
  groups: null,
  skipShare: null,
  entropy: null,
  tokens: 0,
  answerTokens: 0,
  gradientNorm: null,
  learningRate: null,
};

/** How many of each outcome. */
export function countOutcomes(outcomes: readonly Outcome[]): Record<Outcome, number> {
  return byOutcome((outcome) => outcomes.filter((each) => each === outcome).length);
}

/** One value for each reason to skip a group. */
export function bySkipReason<T>(make: (reason: SkipReason) => T): Record<SkipReason, T> {
  return Object.fromEntries(SKIP_REASONS.map((reason) => [reason, make(reason)])) as Record<
    SkipReason,
    T
  >;
}

/** Mean of numbers; null for none. */
export function meanOf(numbers: ArrayLike<number>): number | null {
  const { length } = numbers;
  if (length === 0) return null;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += numbers[i] as number;
  return sum / length;
}
