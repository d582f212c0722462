import type { Contrast } from "../result/contrast.ts";
import {
  decimal,
  intervalText,
  NOT_AVAILABLE,
  percent,
  points,
  renderTable,
} from "../result/table.ts";
import type { Course } from "../train/summary.ts";
import { type Experiment, WORDS } from "./experiment-file.ts";
import type { ArmFindings, Findings } from "./findings.ts";
import { type ArmPair, tellingPairs } from "./telling-pairs.ts";

/** The findings as text: all arms, how they were trained, and the pairs that tell most. */
export function renderFindings(experiment: Experiment, findings: Findings): string {
  const { arms, comparison } = findings;
  const { shared, warnings, accuracy, prematureAction, bestConstant } = comparison;
  const names = comparison.arms.map(({ path }) => path);
  const floors = names.filter((name) => name === WORDS || name.startsWith("always "));
  const pairs = tellingPairs(experiment, floors);
  const seeds = experiment.seeds.length;
  return [
    `${experiment.about}\n`,
    `${shared.traces} held-out traces of ${shared.families} families${seeds > 1 ? `, ${seeds} seeds` : ""}.\n`,
    ...warnings.map((warning) => `warning: ${warning}\n`),
    "\n",
    renderArms(arms),
    bestConstant
      ? `always ${bestConstant.label}: ${percent(bestConstant.accuracy.value)} (${intervalText(bestConstant.accuracy)})\n`
      : "",
    "\nTraining, means of the first and last ten steps:\n",
    renderTraining(arms),
    renderPairs("accuracy", accuracy, names, pairs.accuracy),
    prematureAction
      ? renderPairs("premature-action rate", prematureAction, names, pairs.prematureAction)
      : "",
    "\nDifferences are second minus first, in points, by paired bootstrap; the wider interval of\n",
    "traces and families is shown. p is adjusted for all pairs of arms (Holm), also those not\n",
    "shown. A difference of the size under `detectable` would be noticed in 4 of 5 such comparisons.\n",
    ...(seeds > 1 ? ["Each trace counts with its mean over seeds, of which there are few.\n"] : []),
  ].join("");
}

function renderArms(arms: readonly ArmFindings[]): string {
  return renderTable(
    [
      "arm",
      "accuracy",
      "95% interval",
      "strict",
      "premature",
      "95% interval",
      "missed",
      "memory",
      "ACT lean",
      "unreadable",
      "cut off",
      "reward sym.",
      "reward asym.",
      "NLL",
      "ECE",
    ],
    arms.map(({ title, metrics }) => [
      title,
      percent(metrics.accuracy.value),
      intervalText(metrics.accuracy),
      metrics.written ? percent(metrics.written.strictAccuracy.value) : NOT_AVAILABLE,
      percent(metrics.prematureAction.value),
      intervalText(metrics.prematureAction),
      percent(metrics.missedAction.value),
      percent(metrics.memoryDecision.value),
      percent(metrics.actLean.value),
      percent(metrics.unreadable.value),
      percent(metrics.cutOff.value),
      decimal(metrics.rewards["symmetric"] ?? null),
      decimal(metrics.rewards["asymmetric"] ?? null),
      lossText(metrics.decision?.logLoss.mean ?? null),
      decimal(metrics.decision?.calibration.equalWidth.ece ?? null),
    ]),
  );
}

function lossText(loss: number | "inf" | null): string {
  return loss === "inf" ? loss : decimal(loss);
}

function renderTraining(arms: readonly ArmFindings[]): string {
  return renderTable(
    ["arm", "steps", "loss", "reward", "groups skipped", "tokens read", "answer tokens", "minutes"],
    arms.flatMap(({ title, training }) =>
      training === null
        ? []
        : [
            [
              title,
              String(training.steps),
              courseText(training.loss),
              courseText(training.reward),
              percent(training.skipShare),
              String(training.tokens),
              String(training.answerTokens),
              decimal(training.seconds / 60, 1),
            ],
          ],
    ),
  );
}

function courseText(course: Course | null): string {
  return course === null ? NOT_AVAILABLE : `${decimal(course.first)} -> ${decimal(course.last)}`;
}

function renderPairs(
  measure: string,
  { pairs, traces }: Contrast,
  names: readonly string[],
  shown: readonly ArmPair[],
): string {
  const rows = shown.flatMap(([first, second]) => {
    const [a, b] = [names.indexOf(first), names.indexOf(second)];
    const pair = pairs.find((each) => each.first === a && each.second === b);
    if (pair === undefined) throw new Error(`${first} and ${second} were not compared`);
    const { difference, low, high, degenerate, over, p, adjustedP, detectable } = pair;
    const interval = low === null ? NOT_AVAILABLE : `${points(low)} to ${points(high)}`;
    return [
      [
        `${first} -> ${second}`,
        points(difference),
        degenerate ? `${interval} (degenerate)` : interval,
        over,
        decimal(p, 4),
        decimal(adjustedP, 4),
        decimal(detectable === null ? null : detectable * 100, 1),
      ],
    ];
  });
  const head = ["pair", "difference", "95% interval", "over", "p", "adjusted p", "detectable"];
  return `\n${measure}, ${traces} traces:\n${renderTable(head, rows)}`;
}
