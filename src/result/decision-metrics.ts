import { LABELS } from "../core/intervention.ts";
import { brier, type Calibration, ece, negativeLogLikelihood } from "../stats/calibration.ts";
import { pick } from "../stats/logprobs.ts";
import { LETTERS, type Letter } from "../task/letters.ts";
import { type Decision, letterIndex, NEAR_TIE, readDecision } from "./decision.ts";
import { type Rate, rate } from "./rate.ts";
import type { ScoredAnswer } from "./scored.ts";

/** What only letter scores show: how sure the arm is, and how far letters sway it. */
export interface DecisionMetrics {
  readonly logLoss: {
    /** Mean -ln of the gold label's probability; `"inf"` once a gold label had probability 0. */
    readonly mean: number | "inf" | null;
    /** Answers whose gold label had probability 0. */
    readonly infinite: number;
    /** Mean over the other answers. */
    readonly finiteMean: number | null;
  };
  /** 0 (perfect) to 2. */
  readonly brier: number | null;
  /** {@link CALIBRATION_BINS} bins of equal width over the pick's probability; ties have no pick. */
  readonly calibration: Calibration;
  /** Share of the full vocabulary's probability on the five letters, over all passes. */
  readonly letterMass: { readonly mean: number | null; readonly lowest: number | null };
  /** Answers without a pick because the highest probability is shared. */
  readonly ties: number;
  /** Picks whose lead, in nats, is below `within`. */
  readonly nearTies: { readonly count: number; readonly within: number };
  /** Answers without a pick because a pass has a NaN or no finite score. */
  readonly notFinite: number;
  /** Single letter scores that are not finite, an impossible letter (-Infinity) included. */
  readonly nonFiniteScores: number;
  readonly letterBias: LetterBias;
}

/** How often each letter has the highest score, and how often it stands for the gold label. */
export interface LetterBias {
  readonly letters: Readonly<Record<Letter, { readonly picked: Rate; readonly gold: Rate }>>;
  /** Farthest that a letter's share of picks lies from 1/5; null without picks. */
  readonly farthest: number | null;
}

/** Bins of the expected calibration error. */
export const CALIBRATION_BINS = 10;

/** The probability side of decisions. */
export function decisionMetrics(answers: readonly ScoredAnswer[]): DecisionMetrics {
  const items = answers.flatMap(({ gold, passes }) =>
    passes === null ? [] : [{ gold, passes, decision: readDecision(passes) }],
  );
  const finite = items.flatMap(({ gold, decision: { probabilities } }) =>
    probabilities === null ? [] : [{ gold, probabilities }],
  );
  const { mean, infinite, finiteMean } = negativeLogLikelihood(
    finite.map(({ gold, probabilities }) => probabilities[gold]),
  );
  const picked = items.flatMap(({ gold, decision: { pick, probabilities } }) =>
    pick.label === null || probabilities === null
      ? []
      : [{ p: probabilities[pick.label], right: pick.label === gold ? 1 : 0 }],
  );
  const passes = items.flatMap((item) => item.passes);
  const masses = passes.map(({ letterMass }) => letterMass).filter(Number.isFinite);
  const hasReason = (reason: string) => (item: { readonly decision: Decision }) =>
    item.decision.pick.label === null && item.decision.pick.reason === reason;
  return {
    logLoss: { mean: mean === Number.POSITIVE_INFINITY ? "inf" : mean, infinite, finiteMean },
    brier: brier(
      finite.map(({ probabilities }) => LABELS.map((label) => probabilities[label])),
      finite.map(({ gold }) => LABELS.indexOf(gold)),
    ),
    calibration: ece({
      p: picked.map(({ p }) => p),
      right: picked.map(({ right }) => right),
      bins: CALIBRATION_BINS,
      binning: "equal_width",
    }),
    letterMass: {
      mean: masses.length === 0 ? null : masses.reduce((a, b) => a + b, 0) / masses.length,
      lowest: masses.length === 0 ? null : masses.reduce((a, b) => Math.min(a, b)),
    },
    ties: items.filter(hasReason("tie")).length,
    nearTies: {
      count: items.filter(({ decision }) => decision.isNearTie).length,
      within: NEAR_TIE,
    },
    notFinite: items.filter(hasReason("not_finite")).length,
    nonFiniteScores: passes
      .flatMap(({ logprobs }) => logprobs)
      .filter((value) => !Number.isFinite(value)).length,
    letterBias: letterBias(items),
  };
}

/** Each pass counts for itself: averaging over rotations hides a bias from the picks, not from here. */
function letterBias(items: readonly Pick<ScoredAnswer, "gold" | "passes">[]): LetterBias {
  const passes = items.flatMap(({ gold, passes }) =>
    (passes ?? []).map(({ offset, logprobs }) => ({
      gold: letterIndex(gold, offset),
      picked: pick(logprobs).pick,
    })),
  );
  const picks = passes.filter(({ picked }) => picked !== null);
  const letters = LETTERS.map((letter, k) => {
    const picked = rate(picks.filter((pass) => pass.picked === k).length, picks.length);
    const gold = rate(passes.filter((pass) => pass.gold === k).length, passes.length);
    return [letter, { picked, gold }] as const;
  });
  const shares = letters.map(([, { picked }]) =>
    Math.abs((picked.value ?? 0) - 1 / LETTERS.length),
  );
  return {
    letters: Object.fromEntries(letters) as LetterBias["letters"],
    farthest: picks.length === 0 ? null : Math.max(...shares),
  };
}
