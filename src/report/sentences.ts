import type { RunMetrics } from "../result/metrics.ts";
import { percent, points, rateCells } from "../result/table.ts";
import type { Arm } from "./arms.ts";
import { familiesText } from "./families.ts";
import { bestLabels } from "./floors.ts";
import { html, type Markup } from "./markup.ts";

/** What an arm's result is and how far it can be trusted, in one line. */
export function armSentence({ name, run, metrics, answers: scored }: Arm): Markup {
  const { accuracy, answers } = metrics;
  const what = html`<b>${name}</b> (${run.header.model.name}, ${run.header.readout})`;
  if (answers === 0) return html`${what} has no answer to count.${caveatText(metrics)}`;
  const [share, counts, interval] = rateCells(accuracy);
  return html`${what} is right in ${counts} answers, ${share} (95% interval ${interval}), over ${familiesText(scored)}. ${againstConstant(metrics)}${caveatText(metrics)}`;
}

/** Where the interval lies from what always giving one label would get. */
function againstConstant(metrics: RunMetrics): string {
  const { accuracy, bestConstant } = metrics;
  const floor = bestConstant?.accuracy.value ?? null;
  if (bestConstant === null || floor === null || accuracy.low === null || accuracy.high === null) {
    return "";
  }
  const always = `Always answering ${bestLabels(metrics)} would get ${percent(floor)}`;
  if (accuracy.low > floor) return `${always}, which lies below the whole interval.`;
  if (accuracy.high < floor) return `${always}, which lies above the whole interval.`;
  return `${always}, which lies inside the interval.`;
}

function caveatText(metrics: RunMetrics): string {
  return caveatsOf(metrics)
    .map((caveat) => ` ${caveat}`)
    .join("");
}

/** What must stand beside a run's figures. */
function caveatsOf(metrics: RunMetrics): string[] {
  const { part, errors, pending, letters, decision, unreadable, cutOff } = metrics;
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const lost = unreadable.numerator + cutOff.numerator;
  return [
    ...(lost > 0
      ? [
          `${lost} of ${metrics.answers} answers name no label (${unreadable.numerator} unreadable, ${cutOff.numerator} cut off).`,
        ]
      : []),
    ...(part === "train" ? ["Measured on train traces, which a model may have learnt from."] : []),
    ...(metrics.isClustered
      ? ["Some traces have several answers, so the interval is too narrow."]
      : []),
    ...(failed > 0 ? [`Answers that failed and count nowhere: ${failed}.`] : []),
    ...(pending > 0 ? [`Answers never asked for: ${pending}.`] : []),
    ...(decision?.letterMass.isLow
      ? [`The letters hold only ${percent(decision.letterMass.mean)} of the probability.`]
      : []),
    ...(decision && letters?.order === "fixed"
      ? [
          `Letters stand in a fixed order, and one is picked ${points(decision.letterBias.farthest)} points off an even fifth.`,
        ]
      : []),
  ];
}
