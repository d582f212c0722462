import { LABELS } from "../core/intervention.ts";
import { ANSWER_COLUMNS } from "./confusion.ts";
import type { Metrics, RunMetrics } from "./metrics.ts";
import type { Rate } from "./rate.ts";
import { renderDecision } from "./render-decision.ts";
import { decimal, percent, points, rateCells, renderTable } from "./table.ts";

/** A run's metrics and how tables call the run. */
export interface NamedMetrics {
  /** Such as the run's folder. */
  readonly name: string;
  readonly model: string;
  readonly metrics: RunMetrics;
}

/** The headline table of some runs, with the floor they stand on, and every figure of each run. */
export function renderMetrics(runs: readonly NamedMetrics[]): string {
  const details = runs.map(({ name, model, metrics }) => {
    return `\n== ${name} (${model}) ==\n\n${renderCounts(metrics)}${renderDetails(metrics)}`;
  });
  return `${renderHeadline(runs)}${details.join("")}`;
}

/** One line for each run, and the best constant label beside them. */
export function renderHeadline(runs: readonly NamedMetrics[]): string {
  const schemes = Object.keys(runs[0]?.metrics.rewards ?? {});
  const head = ["arm", "answers", "accuracy", "premature", "missed", "memory", "ACT lean"];
  const rows = runs.map(({ name, metrics }) => [
    name,
    String(metrics.answers),
    percent(metrics.accuracy.value),
    percent(metrics.prematureAction.value),
    percent(metrics.missedAction.value),
    percent(metrics.memoryDecision.value),
    percent(metrics.actLean.value),
    percent(metrics.unreadable.value),
    percent(metrics.cutOff.value),
    ...schemes.map((scheme) => decimal(metrics.rewards[scheme] ?? null)),
  ]);
  const floors = new Map(
    runs.flatMap(({ metrics: { bestConstant } }) => {
      if (!bestConstant) return [];
      const { label, accuracy } = bestConstant;
      const row = [`always ${label}`, String(accuracy.denominator), percent(accuracy.value)];
      return [[row.join(" "), row] as const];
    }),
  );
  const table = renderTable(
    [...head, "unreadable", "cut off", ...schemes.map((scheme) => `reward ${scheme}`)],
    [...rows, ...floors.values()],
  );
  const words = runs.some(({ model }) => model === "baseline:words") ? "" : NO_WORDS;
  return `${table}${runs.map(caveatOf).join("")}${words}`;
}

/** What must stand beside a run's line, since the table does not show it. */
function caveatOf({ name, metrics }: NamedMetrics): string {
  const { part, errors, pending, letters, decision } = metrics;
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const caveats = [
    ...(part === "train" ? ["measured on train traces, which a model may have learnt from"] : []),
    ...(failed > 0 ? [`${failed} answers failed and count nowhere`] : []),
    ...(pending > 0 ? [`${pending} answers were never asked for`] : []),
    ...(decision?.letterMass.isLow
      ? [`the letters hold ${percent(decision.letterMass.mean)} of the probability`]
      : []),
    ...(decision && letters?.order === "fixed"
      ? [
          `letters stand in a fixed order, and one is picked ${points(decision.letterBias.farthest)} points off an even fifth`,
        ]
      : []),
  ];
  return caveats.length > 0 ? `warning: ${name}: ${caveats.join("; ")}\n` : "";
}

const NO_WORDS =
  "baseline:words is not among these runs; `steerbench eval … --model baseline:words` makes it.\n";

/** What a run lacks. */
function renderCounts({ traces, answers, errors, pending }: RunMetrics): string {
  const failed = Object.entries(errors).map(([code, count]) => `${count} ${code}`);
  const lines = [
    `${answers} answers to ${traces} traces`,
    ...(failed.length > 0 ? [`failed, in no rate: ${failed.join(", ")}`] : []),
    ...(pending > 0 ? [`not asked yet: ${pending}`] : []),
  ];
  return `${lines.join("; ")}\n\n`;
}

/** Every figure about a list of answers. */
export function renderDetails(metrics: Metrics): string {
  return [
    renderRates(metrics),
    metrics.isClustered
      ? "Some traces have several answers; intervals take each as independent and are too narrow.\n"
      : "",
    renderLabels(metrics),
    renderConfusion(metrics),
    renderDomains(metrics),
    metrics.decision ? renderDecision(metrics.decision) : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function renderRates(metrics: Metrics): string {
  const { written, bestConstant } = metrics;
  const rates: [string, Rate][] = [
    ["accuracy", metrics.accuracy],
    ["premature-action rate", metrics.prematureAction],
    ["missed-action rate", metrics.missedAction],
    ["memory-decision accuracy", metrics.memoryDecision],
    ["ACT lean", metrics.actLean],
    ["unreadable", metrics.unreadable],
    ["cut off", metrics.cutOff],
    ["contrast consistency", metrics.contrastConsistency],
    ["accuracy counting also", metrics.accuracyWithAlso],
  ];
  if (written) {
    rates.push(
      ["valid JSON", written.validJson],
      ["strict readable", written.strictReadable],
      ["strict accuracy", written.strictAccuracy],
      ["lenient readable", written.lenientReadable],
      ["lenient accuracy", written.lenientAccuracy],
      ["empty", written.empty],
      ["uncertainty language", written.uncertaintyLanguage],
    );
  }
  if (bestConstant) rates.push([`always ${bestConstant.label}`, bestConstant.accuracy]);
  const table = renderTable(
    ["rate", "share", "counts", "95% interval"],
    rates.map(([name, rate]) => [name, ...rateCells(rate)]),
  );
  const rewards = Object.entries(metrics.rewards).map(([scheme, mean]) => {
    return `mean reward, ${scheme}: ${decimal(mean)}\n`;
  });
  const gap = written
    ? `format gap (lenient minus strict accuracy): ${points(written.formatGap)} points\n`
    : "";
  return `${table}${gap}${rewards.join("")}`;
}

function renderLabels({ labels }: Metrics): string {
  return renderTable(
    ["label", "precision", "counts", "recall", "counts", "F1"],
    LABELS.map((label) => {
      const { precision, recall, f1 } = labels[label];
      return [
        label,
        ...rateCells(precision).slice(0, 2),
        ...rateCells(recall).slice(0, 2),
        decimal(f1),
      ];
    }),
  );
}

function renderConfusion({ confusion }: Metrics): string {
  return renderTable(
    ["gold \\ answer", ...ANSWER_COLUMNS],
    LABELS.map((gold) => [
      gold,
      ...ANSWER_COLUMNS.map((column) => String(confusion[gold][column])),
    ]),
  );
}

function renderDomains({ domains }: Metrics): string {
  const rows = Object.entries(domains).map(([domain, rate]) => [domain, ...rateCells(rate)]);
  return rows.length === 0
    ? ""
    : renderTable(["domain", "accuracy", "counts", "95% interval"], rows);
}
