import { byLabel, LABELS, type Label } from "../core/intervention.ts";
import { DOMAINS, type Domain } from "../core/trace.ts";
import type { Part } from "../data/types.ts";
import { byOutcome, type Outcome } from "../task/outcome.ts";
import { SCHEMES, type Scheme } from "../task/scheme.ts";
import { type Confusion, confusionOf, type LabelScores, labelScores } from "./confusion.ts";
import { type DecisionMetrics, decisionMetrics } from "./decision-metrics.ts";
import { meanReward } from "./mean-reward.ts";
import { type Rate, rate, rateOf } from "./rate.ts";
import type { Run } from "./run-read.ts";
import { isDecisionRow } from "./run-row.ts";
import type { RunHeader } from "./run-schema.ts";
import type { RunTemperature } from "./run-temperature.ts";
import { type ScoredAnswer, scoreRun } from "./scored.ts";
import { type WrittenMetrics, writtenMetrics } from "./written-metrics.ts";

/**
 * Every figure about a list of answers. An outcome reads the lenient parse; an answer that is cut
 * off or unreadable names no label. An error row is no answer and counts in no rate here.
 */
export interface Metrics {
  readonly answers: number;
  /**
   * Whether some trace has several answers. They are alike, so intervals, which take every answer
   * for an observation of its own, are then too narrow.
   */
  readonly isClustered: boolean;
  readonly accuracy: Rate;
  /** Among answers whose gold label is not ACT, the share that names ACT. */
  readonly prematureAction: Rate;
  /** Among answers whose gold label is ACT, the share that names another label. */
  readonly missedAction: Rate;
  /** Accuracy where the gold label is REMEMBER or FORGET. */
  readonly memoryDecision: Rate;
  /** Among answers that name a label, the share that names ACT. */
  readonly actLean: Rate;
  readonly unreadable: Rate;
  readonly cutOff: Rate;
  /** Accuracy if a trace's `also` labels counted as right. */
  readonly accuracyWithAlso: Rate;
  /** Among families with two or more answered traces, the share with every answer right. */
  readonly contrastConsistency: Rate;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly confusion: Confusion;
  readonly labels: Readonly<Record<Label, LabelScores>>;
  /** Accuracy by domain; domains without answers, and answers without a domain, are left out. */
  readonly domains: Readonly<Partial<Record<Domain, Rate>>>;
  /** Mean reward by scheme name; null without answers. */
  readonly rewards: Readonly<Record<string, number | null>>;
  readonly bestConstant: BestConstant | null;
  /** Figures of the generative readout only. */
  readonly written: WrittenMetrics | null;
  /** Figures of the decision readout only. */
  readonly decision: DecisionMetrics | null;
}

/** The label that, given to everything, would be right most often; the first of several. */
export interface BestConstant {
  readonly label: Label;
  readonly accuracy: Rate;
}

/** The metrics of a run, beside what the run lacks. */
export interface RunMetrics extends Metrics {
  /** The side of the split that was evaluated. */
  readonly part: Part;
  readonly traces: number;
  /** Failures without an answer, by their code. Out of every denominator. */
  readonly errors: Readonly<Record<string, number>>;
  /** Answers not asked for yet: above 0 in a run that was interrupted. */
  readonly pending: number;
  /** Lone surrogates in answers, stored as U+FFFD. */
  readonly replacedCharacters: number;
  /** Decision readout only: how the letters were ordered. */
  readonly letters: RunHeader["letters"];
}

const BUILT_IN: readonly Scheme[] = [SCHEMES.symmetric, SCHEMES.asymmetric];

/**
 * Everything there is to say about a run.
 *
 * @param temperature shows the decision readout's figures at this temperature, too
 */
export function runMetrics(
  run: Run,
  schemes: readonly Scheme[] = BUILT_IN,
  temperature: RunTemperature | null = null,
): RunMetrics {
  const errors = new Map<string, number>();
  for (const { error } of run.errors) errors.set(error.code, (errors.get(error.code) ?? 0) + 1);
  return {
    part: run.header.split.part,
    traces: run.traces.size,
    errors: Object.fromEntries(errors),
    pending: run.pending,
    replacedCharacters: run.answers.reduce(
      (sum, row) => sum + (isDecisionRow(row) ? 0 : (row.replaced ?? 0)),
      0,
    ),
    letters: run.header.letters,
    ...measure(scoreRun(run, schemes), schemes, temperature),
  };
}

/** Everything there is to say about a list of answers of one readout. */
export function measure(
  answers: readonly ScoredAnswer[],
  schemes: readonly Scheme[] = BUILT_IN,
  temperature: RunTemperature | null = null,
): Metrics {
  const isRight = ({ outcome }: ScoredAnswer) => outcome === "correct";
  const has = (outcome: Outcome) => (answer: ScoredAnswer) => answer.outcome === outcome;
  const confusion = confusionOf(answers);
  const isDecision = answers.some(({ passes }) => passes !== null);
  return {
    answers: answers.length,
    isClustered: new Set(answers.map(({ id }) => id)).size < answers.length,
    accuracy: rateOf(answers, isRight),
    prematureAction: rateOf(answers, has("premature_act"), ({ gold }) => gold !== "ACT"),
    missedAction: rateOf(answers, has("missed_act"), ({ gold }) => gold === "ACT"),
    memoryDecision: rateOf(answers, isRight, isMemoryTrace),
    actLean: rateOf(answers, ({ lenient }) => lenient.label === "ACT", namesLabel),
    unreadable: rateOf(answers, has("unreadable")),
    cutOff: rateOf(answers, has("cut_off")),
    accuracyWithAlso: rateOf(answers, (answer) => isRight(answer) || namesAlso(answer)),
    contrastConsistency: contrastConsistency(answers),
    outcomes: byOutcome((outcome) => answers.filter(has(outcome)).length),
    confusion,
    labels: labelScores(confusion),
    domains: byDomain(answers, isRight),
    rewards: Object.fromEntries(schemes.map((scheme) => [scheme.name, meanPay(answers, scheme)])),
    bestConstant: bestConstant(answers.map(({ gold }) => gold)),
    written: isDecision || answers.length === 0 ? null : writtenMetrics(answers),
    decision: isDecision ? decisionMetrics(answers, schemes, temperature) : null,
  };
}

/** The best constant label for these gold labels; null when there are none. */
export function bestConstant(golds: readonly Label[]): BestConstant | null {
  const counts = byLabel((label) => golds.filter((gold) => gold === label).length);
  const most = Math.max(...LABELS.map((label) => counts[label]));
  const label = LABELS.find((each) => counts[each] === most);
  return label && most > 0 ? { label, accuracy: rate(most, golds.length) } : null;
}

function isMemoryTrace({ gold }: ScoredAnswer): boolean {
  return gold === "REMEMBER" || gold === "FORGET";
}

function namesLabel({ outcome }: ScoredAnswer): boolean {
  return outcome !== "unreadable" && outcome !== "cut_off";
}

function namesAlso(answer: ScoredAnswer): boolean {
  const { label } = answer.lenient;
  return namesLabel(answer) && label !== null && answer.also.includes(label);
}

function contrastConsistency(answers: readonly ScoredAnswer[]): Rate {
  const families = new Map<string, ScoredAnswer[]>();
  for (const answer of answers) {
    if (answer.family === null) continue;
    const variants = families.get(answer.family);
    if (variants) variants.push(answer);
    else families.set(answer.family, [answer]);
  }
  return rateOf(
    [...families.values()],
    (variants) => variants.every(({ outcome }) => outcome === "correct"),
    (variants) => new Set(variants.map(({ id }) => id)).size > 1,
  );
}

function byDomain(
  answers: readonly ScoredAnswer[],
  isRight: (answer: ScoredAnswer) => boolean,
): Metrics["domains"] {
  const entries = DOMAINS.map((domain) => {
    return [domain, rateOf(answers, isRight, (answer) => answer.domain === domain)] as const;
  });
  return Object.fromEntries(entries.filter(([, { denominator }]) => denominator > 0));
}

function meanPay(answers: readonly ScoredAnswer[], scheme: Scheme): number | null {
  const outcomes = answers.flatMap(({ payments }) => payments[scheme.name]?.outcome ?? []);
  return meanReward(outcomes, scheme);
}
