import type { Comparison } from "./compare.ts";
import type { Contrast, PairContrast } from "./contrast.ts";
import { decimal, percent, points, rateCells, renderTable } from "./table.ts";

/** A comparison as text: the arms, then every pair by each measure. */
export function renderComparison(comparison: Comparison): string {
  const { arms, shared, warnings, bestConstant, accuracy, prematureAction } = comparison;
  const { answers, traces, families } = shared;
  const names = arms.map(({ path }) => path);
  return [
    `${answers} answers to ${traces} traces of ${families} families are shared by all arms.\n`,
    ...warnings.map((warning) => `warning: ${warning}\n`),
    "\n",
    renderTable(
      ["arm", "model", "readout", "accuracy", "counts", "95% interval", "premature", "left out"],
      arms.map(({ path, model, readout, leftOut }, arm) => {
        const rate = accuracy.rates[arm];
        const premature = prematureAction?.rates[arm]?.value ?? null;
        const cells = rate ? rateCells(rate) : [];
        return [path, model, readout, ...cells, percent(premature), String(leftOut)];
      }),
    ),
    bestConstant
      ? `always ${bestConstant.label}: ${rateCells(bestConstant.accuracy).slice(0, 2).join(", ")}\n`
      : "",
    renderContrast("accuracy", accuracy, names),
    prematureAction ? renderContrast("premature-action rate", prematureAction, names) : "",
    "\nDifferences are second minus first, in points, by paired bootstrap; the wider interval of\ntraces and families is shown. p is adjusted for all pairs of a table (Holm). A difference of the\nsize under `detectable` would be noticed in 4 of 5 such comparisons.\n",
  ].join("");
}

/** One measure's pairs as a table; `names` are those of the arms. */
export function renderContrast(
  measure: string,
  { pairs, traces }: Pick<Contrast, "pairs" | "traces">,
  names: readonly string[],
): string {
  const table = renderTable(
    ["pair", "difference", "95% interval", "over", "p", "adjusted p", "detectable"],
    pairs.map((pair) => [
      `${names[pair.first]} -> ${names[pair.second]}`,
      points(pair.difference),
      interval(pair),
      pair.over,
      decimal(pair.p, 4),
      decimal(pair.adjustedP, 4),
      decimal(pair.detectable === null ? null : pair.detectable * 100, 1),
    ]),
  );
  return `\n${measure}, ${traces} traces:\n${table}`;
}

function interval({ low, high, degenerate }: PairContrast): string {
  if (low === null || high === null) return "n/a";
  const text = `${points(low)} to ${points(high)}`;
  return degenerate ? `${text} (degenerate)` : text;
}
