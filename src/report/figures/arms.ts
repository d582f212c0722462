import type { Comparison } from "../../result/compare.ts";
import { rateCells } from "../../result/table.ts";
import { type Arm, armLabel, rowLabel } from "../arms.ts";
import { counted, countedFamilies } from "../counted.ts";
import type { Drawing } from "../draw.ts";
import { WILSON_NOTE } from "../families.ts";
import type { Figure } from "../figure.ts";
import { type Floor, floorsOf } from "../floors.ts";
import { describeRates, drawIntervals, rateRow } from "../interval-rows.ts";
import { html, type Markup } from "../markup.ts";
import { isMute } from "../readable.ts";
import { percentTick } from "../share-axes.ts";
import { drawDifferences, type Measure, pairRows } from "./differences.ts";

/** Every arm's accuracy beside what needs no model, and how far arms lie apart. */
export function armsFigure(arms: readonly Arm[], comparison: Comparison | null): Figure {
  const floors = floorsOf(arms);
  const measures = measuresOf(comparison);
  return {
    name: "arms",
    title: "Arms, with intervals and differences",
    lead: html`Accuracy with its Wilson 95% interval. ${WILSON_NOTE} Hollow points need no model: the best constant label (dashed) and baselines${
      arms.some(({ isWords }) => isWords)
        ? ""
        : "; the bag of words, baseline:words, is not among these runs"
    }. ${comparison && explain(arms, comparison)}`,
    notes: comparison && TERMS,
    drawings: [drawAccuracies(arms, floors), ...drawDifferences(arms, measures)],
    numbers: {
      head: ["", "share or points", "counts", "95% interval", "adjusted p", "detectable"],
      rows: [
        ...arms.map((arm) => [armLabel(arm, 60), ...rateCells(arm.metrics.accuracy), "", ""]),
        ...floors.map(({ label, accuracy }) => [label, ...rateCells(accuracy), "", ""]),
        ...measures.flatMap((measure) => pairRows(arms, measure)),
      ],
    },
  };
}

function measuresOf(comparison: Comparison | null): Measure[] {
  if (comparison === null) return [];
  const { accuracy, prematureAction } = comparison;
  return [
    { name: "accuracy", contrast: accuracy },
    ...(prematureAction ? [{ name: "premature-action rate", contrast: prematureAction }] : []),
  ];
}

function explain(arms: readonly Arm[], { shared, arms: compared, accuracy }: Comparison): Markup {
  const partly = arms.filter((_, at) => (compared[at]?.leftOut ?? 0) > 0);
  const mute = arms.filter(({ metrics }) => isMute(metrics));
  const pairs = counted(accuracy.pairs.length, "pair");
  return html`A row “2 − 1” is arm 2 minus arm 1, in points, on the ${counted(shared.answers, "answer")} to ${counted(shared.traces, "trace")} of ${countedFamilies(shared.families)} that all arms share${
    partly.length === 0
      ? ""
      : ` (more answers than these: ${armNumbers(partly)}, so accuracy there is another)`
  }. Intervals of differences are by paired bootstrap over traces and over families, the wider one shown. They are not corrected for the ${pairs} compared: of many intervals some miss 0 by chance alone, so judge by the adjusted p.${
    mute.length === 0
      ? ""
      : ` Less than half of the answers name a label: ${armNumbers(mute)}; who names none is never premature.`
  }`;
}

function armNumbers(arms: readonly Arm[]): string {
  return `${arms.length === 1 ? "arm" : "arms"} ${arms.map(({ number }) => number).join(", ")}`;
}

/** Words of the table, as `steerbench compare` uses them. */
const TERMS = html`<dl class="terms"><dt>adjusted p</dt><dd>how surprising a difference this large would be if there were none, adjusted for all pairs of the measure (Holm); 0.05 or more leaves open which arm is better</dd><dt>detectable</dt><dd>a true difference of so many points would be noticed in 4 of 5 such comparisons; a smaller one easily goes unseen</dd><dt>degenerate</dt><dd>every resample gave the same difference: too few traces or families to tell its spread, which is not certainty</dd></dl>`;

function drawAccuracies(arms: readonly Arm[], floors: readonly Floor[]): Drawing {
  const rows = [
    ...arms.map((arm) => {
      const { accuracy } = arm.metrics;
      return { label: rowLabel(arm), rate: accuracy, isFloor: arm.isFloor };
    }),
    ...floors.map(({ label, accuracy }) => ({ label, rate: accuracy, isFloor: true })),
  ].map(({ rate, ...row }) => ({ ...row, ...rateRow(rate) }));
  return drawIntervals({
    name: "arms-accuracy",
    title: "Accuracy of each arm with its 95% interval",
    heading: "accuracy",
    description: describeRates(rows),
    rows,
    domain: [0, 1],
    tick: percentTick,
    rule: floors.length === 1 ? (floors[0]?.accuracy.value ?? undefined) : undefined,
  });
}
