import { SteerError } from "../core/errors.ts";
import type { Trace } from "../core/trace.ts";
import { type Comparison, compareRuns } from "../result/compare.ts";
import { answerList } from "./answer-list.ts";
import { type Arm, armsOf, type ReportRun } from "./arms.ts";
import { counted } from "./counted.ts";
import type { Drawing } from "./draw.ts";
import type { Figure } from "./figure.ts";
import { armsFigure } from "./figures/arms.ts";
import { calibrationFigure } from "./figures/calibration.ts";
import { confusionFigure } from "./figures/confusion.ts";
import { contrastFigure } from "./figures/contrast.ts";
import { curvesFigure } from "./figures/curves.ts";
import { domainsFigure } from "./figures/domains.ts";
import { formatFigure } from "./figures/format-gap.ts";
import { letterFigure } from "./figures/letter-bias.ts";
import { outcomesFigure } from "./figures/outcomes.ts";
import { prematureFigure } from "./figures/premature-missed.ts";
import { filterForm } from "./filter-form.ts";
import { headlineTable } from "./headline.ts";
import { html, type Markup, trusted } from "./markup.ts";
import { inWords } from "./mismatch.ts";
import { numbersTable } from "./numbers-table.ts";
import { outcomeKey } from "./outcome-key.ts";
import { pageOf, type Section } from "./page.ts";
import { provenanceList } from "./provenance.ts";
import { armSentence } from "./sentences.ts";

/** A finished report. */
export interface Report {
  /** One HTML file that needs nothing beside it. */
  readonly page: string;
  readonly drawings: readonly Drawing[];
}

/** Options of {@link makeReport}. */
export interface ReportOptions {
  /** The traces' own texts by id; without them the page shows answers and gold labels only. */
  readonly texts?: ReadonlyMap<string, Trace> | undefined;
  /** Compare runs in spite of another set, prompt or situation; what differs is then a warning. */
  readonly allowMismatch?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The seed of `steerbench compare`, so that a report repeats its figures. */
const SEED = "0";

/**
 * One page about one or several runs: what was run, what came of it in figures, and every answer.
 * The same runs give the same bytes.
 *
 * @throws SteerError `usage` without runs, `mismatch` for runs that do not belong together
 */
export function makeReport(runs: readonly ReportRun[], options: ReportOptions = {}): Report {
  if (runs.length === 0) throw new SteerError("usage", "report needs one run or more");
  const arms = armsOf(runs);
  const { comparison, warnings } = compareArms(arms, options);
  const figures = [
    armsFigure(arms, comparison),
    outcomesFigure(arms),
    domainsFigure(arms),
    confusionFigure(arms),
    formatFigure(arms),
    prematureFigure(arms),
    calibrationFigure(arms),
    curvesFigure(arms),
    letterFigure(arms),
    contrastFigure(arms),
  ].filter((figure) => figure !== null);
  const page = pageOf({
    title: "SteerBench report",
    subtitle: subtitleOf(arms),
    sections: [
      { name: "summary", title: "Summary", content: summaryOf(arms, warnings) },
      { name: "runs", title: "What was run", content: provenanceList(arms) },
      ...figures.map(figureSection),
      answerSection(arms, options.texts ?? new Map()),
    ],
    footer: html`<p>Outcomes are recomputed from the stored answers by the scorer that every reward uses. Intervals of shares are Wilson's, 95%: they take every answer as independent, though variants of a family are alike. Rewards are means per answer; prices are a choice, which is why both schemes are shown. Made by <code>steerbench report</code>; every number is also in <code>steerbench metrics --json</code> and <code>steerbench compare --json</code>.</p>`,
  });
  return { page, drawings: figures.flatMap(({ drawings }) => drawings) };
}

function compareArms(
  arms: readonly Arm[],
  { allowMismatch, onProgress }: ReportOptions,
): { comparison: Comparison | null; warnings: readonly string[] } {
  if (arms.length < 2) return { comparison: null, warnings: [] };
  const runs = arms.map(({ run }) => run);
  try {
    const comparison = compareRuns(runs, { seed: SEED, allowMismatch, onProgress });
    return { comparison, warnings: comparison.warnings.map(inWords) };
  } catch (error) {
    if (!(error instanceof SteerError) || error.code !== "impossible") throw error;
    return { comparison: null, warnings: [`${error.message}: nothing is compared`] };
  }
}

function subtitleOf(arms: readonly Arm[]): string {
  const sets = [...new Set(arms.map(({ run }) => run.header.set.name))].join(", ");
  const parts = [...new Set(arms.map(({ metrics }) => metrics.part))].join(" and ");
  const traces = new Set(arms.flatMap(({ run }) => [...run.traces.keys()])).size;
  const scorers = [...new Set(arms.map(({ run }) => run.header.scorer.version))].join(", ");
  return `${counted(arms.length, "arm")} on ${counted(traces, `${parts} trace`)} of ${sets}, scorer version ${scorers}`;
}

function summaryOf(arms: readonly Arm[], warnings: readonly string[]): Markup {
  return html`<ol class="sentences">${arms.map((arm) => html`<li>${armSentence(arm)}</li>`)}</ol>
${warnings.map((warning) => html`<p class="warning">${warning}</p>`)}${headlineTable(arms)}`;
}

function figureSection({ name, title, lead, notes = null, drawings, numbers }: Figure): Section {
  const table = numbers.rows.length === 0 ? null : numbersTable(numbers, title);
  const pictures = drawings.map(({ inline }) => trusted(inline));
  // One drawing leaves room beside it for its table; several do not.
  const content =
    drawings.length === 1 && table
      ? html`<p class="lead">${lead}</p>${notes}
<div class="drawings">${pictures}<div class="beside">${table}</div></div>`
      : html`<p class="lead">${lead}</p>${notes}
<div class="drawings">${pictures}</div>
${table && html`<details><summary>Numbers of this figure</summary>${table}</details>`}`;
  return { name, title, content, isAbsent: drawings.length === 0 };
}

function answerSection(arms: readonly Arm[], texts: ReadonlyMap<string, Trace>): Section {
  const hint =
    texts.size > 0
      ? ""
      : " Situations and rationales are not shown: name the scenario set with --set to have them here.";
  return {
    name: "answers",
    title: "Answers",
    content: html`<p class="lead">Every answer, by trace. The marks beside a trace are the arms' numbers and what they said. ${outcomeKey()}${hint}</p>
<p id="missing" class="warning" role="status" tabindex="-1" hidden></p>
${filterForm(arms)}
${answerList(arms, texts)}`,
  };
}
