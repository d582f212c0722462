import { groupAdvantages, type SkipReason } from "../env/group.ts";
import type { Outcome } from "../task/outcome.ts";
import type { Scheme } from "../task/scheme.ts";
import { type Score, score } from "../task/score.ts";
import type { PromptExample } from "./examples.ts";
import {
  bySkipReason,
  countOutcomes,
  meanOf,
  NO_FIGURES,
  type StepFigures,
} from "./metrics-row.ts";
import type { Rollout } from "./rollout.ts";

/** The answers to one prompt, with what became of each. */
export interface Group extends PromptExample {
  readonly answers: readonly Rollout[];
  readonly outcomes: readonly Outcome[];
  /** Whether the scheme's parse read a label. */
  readonly isReadable: readonly boolean[];
}

/** Reads and classifies the answers to one prompt, by the scorer that every arm is measured with. */
export function scoreAnswers(
  example: PromptExample,
  answers: readonly Rollout[],
  scheme: Scheme,
): Group {
  const scores = answers.map(({ text, finish }) =>
    score({ gold: example.gold, answer: text, finish }, [scheme]),
  );
  const outcomeOf = ({ payments }: Score) =>
    (payments[scheme.name] as { outcome: Outcome }).outcome;
  return {
    ...example,
    answers,
    outcomes: scores.map(outcomeOf),
    isReadable: scores.map((each) => each[scheme.parse].label !== null),
  };
}

/** What was written, under one scheme. */
export function figuresOfAnswers(groups: readonly Group[], scheme: Scheme): StepFigures {
  const outcomes = groups.flatMap((group) => group.outcomes);
  const readable = groups.flatMap(({ isReadable }) => isReadable);
  const entropy = groups.flatMap(({ answers }) => answers.flatMap((answer) => answer.entropy));
  return {
    ...NO_FIGURES,
    reward: meanOf(outcomes.map((outcome) => scheme.prices[outcome])),
    outcomes: countOutcomes(outcomes),
    readableShare: readable.filter(Boolean).length / readable.length,
    entropy: meanOf(entropy),
    answerTokens: entropy.length,
  };
}

/** The same, and how many of the groups carry no signal. */
export function figuresOfGroups(groups: readonly Group[], scheme: Scheme): StepFigures {
  const skips = groups.map((group) => groupAdvantages(group.outcomes, scheme).skip);
  const shareOf = (reason: SkipReason) =>
    skips.filter((skip) => skip === reason).length / groups.length;
  return {
    ...figuresOfAnswers(groups, scheme),
    groups: groups.length,
    skipShare: bySkipReason(shareOf),
  };
}
