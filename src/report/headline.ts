import type { Metrics } from "../result/metrics.ts";
import type { Rate } from "../result/rate.ts";
import { decimal, rateCells } from "../result/table.ts";
import { type Arm, REPORT_SCHEMES } from "./arms.ts";
import { familiesOf } from "./families.ts";
import type { Markup } from "./markup.ts";
import { numbersTable } from "./numbers-table.ts";
import { readableRate } from "./readable.ts";

/** Columns of the headline table beside accuracy and rewards: what they count, and of what. */
const RATES: readonly (readonly [string, (metrics: Metrics) => Rate])[] = [
  ["readable", readableRate],
  ["premature, of gold other than ACT", ({ prematureAction }) => prematureAction],
  ["missed, of gold ACT", ({ missedAction }) => missedAction],
  ["memory, of gold REMEMBER or FORGET", ({ memoryDecision }) => memoryDecision],
  ["ACT lean, of readable", ({ actLean }) => actLean],
  ["unreadable", ({ unreadable }) => unreadable],
  ["cut off", ({ cutOff }) => cutOff],
];

/** One line for each arm: its headline figures, with counts and intervals. */
export function headlineTable(arms: readonly Arm[]): Markup {
  const schemes = REPORT_SCHEMES.map(({ name }) => name);
  return numbersTable(
    {
      head: [
        "arm",
        "answers",
        "families",
        "accuracy",
        ...schemes.map((scheme) => `reward, ${scheme}`),
        ...RATES.map(([name]) => name),
      ],
      rows: arms.map(({ number, name, metrics, answers }) => [
        `${number} ${name}`,
        String(metrics.answers),
        String(familiesOf(answers)),
        rateCells(metrics.accuracy).join("\n"),
        ...schemes.map((scheme) => decimal(metrics.rewards[scheme] ?? null)),
        ...RATES.map(([, rateOf]) => rateCells(rateOf(metrics)).join("\n")),
      ]),
    },
    "Headline figures, with counts and 95% intervals",
  );
}
