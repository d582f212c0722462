import type { Contrast } from "../result/contrast.ts";
import { renderContrast } from "../result/render-compare.ts";
import { decimal, intervalText, NOT_AVAILABLE, percent, renderTable } from "../result/table.ts";
import { type Experiment, schemesOf, WORDS } from "./experiment-file.ts";
import type { ArmFindings, Findings } from "./findings.ts";
import { renderTraining } from "./render-training.ts";
import { type ArmPair, tellingPairs } from "./telling-pairs.ts";

/** The findings as text: all arms, how they were trained, and the pairs that tell most. */
export function renderFindings(experiment: Experiment, findings: Findings): string {
  const { arms, comparison, bestConstant } = findings;
  const { shared, warnings, accuracy, prematureAction } = comparison;
  const names = comparison.arms.map(({ path }) => path);
  const floors = names.filter((name) => name === WORDS || name.startsWith("always "));
  const pairs = tellingPairs(experiment, floors);
  const seeds = experiment.seeds.length;
  const schemes = schemesOf(experiment).map(({ name }) => name);
  return [
    `${experiment.about}\n`,
    `${shared.traces} held-out traces of ${shared.families} families${seeds > 1 ? `, ${seeds} seeds` : ""}.\n`,
    ...warnings.map((warning) => `warning: ${warning}\n`),
    "\n",
    renderArms(arms, schemes),
    bestConstant
      ? `always ${bestConstant.label}: ${percent(bestConstant.accuracy.value)} (${intervalText(bestConstant.accuracy)})\n`
      : "",
    LEGEND,
    seeds > 1 ? renderMeans(findings, seeds) : "",
    renderTraining(arms),
    renderPairs("accuracy", accuracy, names, pairs.accuracy),
    prematureAction
      ? renderPairs("premature-action rate", prematureAction, names, pairs.prematureAction)
      : "",
    "\nDifferences are second minus first, in points, by paired bootstrap; the wider interval of\n",
    "traces and families is shown. p is adjusted for all pairs of arms (Holm), also those not\n",
    "shown. A difference of the size under `detectable` would be noticed in 4 of 5 such comparisons.\n",
  ].join("");
}

function renderArms(arms: readonly ArmFindings[], schemes: readonly string[]): string {
  const head = ["arm", "accuracy", "95% interval", "strict", "premature", "95% interval"];
  const shares = ["missed", "memory", "ACT lean", "unreadable", "cut off"];
  const rewards = schemes.map((scheme) => `reward ${scheme}`);
  return renderTable(
    [...head, ...shares, ...rewards, "NLL", "ECE"],
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
      ...schemes.map((scheme) => decimal(metrics.rewards[scheme] ?? null)),
      lossText(metrics.decision?.logLoss.mean ?? null),
      decimal(metrics.decision?.calibration.equalWidth.ece ?? null),
    ]),
  );
}

const LEGEND = `
strict: right, and nothing but the JSON was written. premature: ACT named where it is wrong, of those
traces; missed: another label named where ACT is right, of those. An answer that is cut off names no
label, so an arm of cut-off answers is never premature. memory: accuracy where REMEMBER or FORGET is
right. ACT lean: ACT's share of the labels named. NLL, ECE: of the letters' probabilities.
`;

function lossText(loss: number | "inf" | null): string {
  return loss === "inf" ? loss : decimal(loss);
}

/** With several seeds: what the pairs below compare. */
function renderMeans({ comparison }: Findings, seeds: number): string {
  const { arms, accuracy, prematureAction } = comparison;
  const table = renderTable(
    ["arm", "accuracy", "premature"],
    arms.map(({ path }, at) => [
      path,
      percent(accuracy.rates[at]?.value ?? null),
      percent(prematureAction?.rates[at]?.value ?? null),
    ]),
  );
  return `\nMeans over ${seeds} seeds, of which there are few:\n${table}`;
}

/** The pairs that are shown, of all that were compared. */
function renderPairs(
  measure: string,
  { pairs, traces }: Contrast,
  names: readonly string[],
  shown: readonly ArmPair[],
): string {
  if (shown.length === 0) return "";
  const chosen = shown.map(([first, second]) => {
    const [a, b] = [names.indexOf(first), names.indexOf(second)];
    const pair = pairs.find((each) => each.first === a && each.second === b);
    if (pair === undefined) throw new Error(`${first} and ${second} were not compared`);
    return pair;
  });
  return renderContrast(measure, { pairs: chosen, traces }, names);
}
