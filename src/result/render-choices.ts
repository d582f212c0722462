import type { DecisionMetrics } from "./decision-metrics.ts";
import type { ChoiceFigures } from "./priced-choice.ts";
import { temperatureText } from "./render-temperature.ts";
import { decimal, percent, renderTable } from "./table.ts";

/** What each scheme's prices would choose from the same probabilities, beside the likeliest label. */
export function renderChoices({ choices, tempered }: DecisionMetrics): string {
  const schemes = Object.keys(choices.breakEven);
  const suffix = tempered ? `, ${temperatureText(tempered.temperature)}` : "";
  const rows: [string, ChoiceFigures][] = [
    ["likeliest label", choices.likeliest],
    ...pricedRows(choices.priced, ""),
    ...(tempered ? pricedRows(tempered.choices.priced, suffix) : []),
  ];
  const table = renderTable(
    [
      "choice",
      "changed",
      "accuracy",
      "premature",
      "missed",
      "no choice",
      ...schemes.map((scheme) => `reward ${scheme}`),
    ],
    rows.map(([name, figures]) => [
      name,
      String(figures.changed),
      percent(figures.accuracy.value),
      percent(figures.prematureAction.value),
      percent(figures.missedAction.value),
      String(figures.noChoice),
      ...schemes.map((scheme) => decimal(figures.rewards[scheme] ?? null)),
    ]),
  );
  const points = schemes.map((scheme) => `${decimal(choices.breakEven[scheme] ?? null)} ${scheme}`);
  return `${table}acting pays, against one rival label, from P(ACT) = ${points.join(", ")}\n`;
}

function pricedRows(
  priced: Readonly<Record<string, ChoiceFigures>>,
  suffix: string,
): [string, ChoiceFigures][] {
  return Object.entries(priced).map(([scheme, figures]) => [`${scheme} prices${suffix}`, figures]);
}
