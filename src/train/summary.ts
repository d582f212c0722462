import { SKIP_REASONS } from "../env/group.ts";
import { decimal, percent } from "../result/table.ts";
import { type MetricsRow, meanOf } from "./metrics-row.ts";

/** Rows at each end that a summary averages, where there are twice as many: one batch says little. */
const ENDS = 10;

/** The course of a number: the mean over the first rows, and over the last; none is in both. */
export interface Course {
  readonly first: number;
  readonly last: number;
}

/** A training run in a few numbers; null where the method has none of the kind. */
export interface TrainSummary {
  readonly steps: number;
  readonly loss: Course | null;
  readonly reward: Course | null;
  /** On the validation part, before the first step and after the last. */
  readonly validationLoss: Course | null;
  readonly validationReward: Course | null;
  /** Share of all groups that carried no signal. */
  readonly skipShare: number | null;
  readonly tokens: number;
  readonly answerTokens: number;
  readonly seconds: number;
}

/** Sums up the rows of a training run. */
export function summarize(rows: readonly MetricsRow[]): TrainSummary {
  const train = rows.filter(({ part }) => part === "train");
  const validation = rows.filter(({ part }) => part === "validation");
  const sum = (of: (row: MetricsRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const groups = sum((row) => row.groups ?? 0);
  const skipped = sum(({ groups: own, skipShare: share }) =>
    share === null ? 0 : (own ?? 0) * SKIP_REASONS.reduce((all, reason) => all + share[reason], 0),
  );
  return {
    steps: train.length,
    loss: courseOf(
      train.map(({ loss }) => loss),
      ENDS,
    ),
    reward: courseOf(
      train.map(({ reward }) => reward),
      ENDS,
    ),
    validationLoss: courseOf(
      validation.map(({ loss }) => loss),
      1,
    ),
    validationReward: courseOf(
      validation.map(({ reward }) => reward),
      1,
    ),
    skipShare: groups === 0 ? null : skipped / groups,
    tokens: sum(({ tokens }) => tokens),
    answerTokens: sum(({ answerTokens }) => answerTokens),
    seconds: sum(({ seconds }) => seconds),
  };
}

/** One line for people. */
export function renderSummary(summary: TrainSummary): string {
  const course = (name: string, value: Course | null) =>
    value === null ? [] : [`${name} ${decimal(value.first)} -> ${decimal(value.last)}`];
  return [
    `${summary.steps} steps`,
    ...course("loss", summary.loss),
    ...course("reward", summary.reward),
    ...course("validation loss", summary.validationLoss),
    ...course("validation reward", summary.validationReward),
    ...(summary.skipShare === null ? [] : [`${percent(summary.skipShare)} of groups skipped`]),
    `${decimal(summary.seconds, 1)} s`,
  ].join(", ");
}

function courseOf(values: readonly (number | null)[], ends: number): Course | null {
  const known = values.filter((value) => value !== null);
  const some = Math.min(ends, Math.max(1, Math.floor(known.length / 2)));
  const [first, last] = [meanOf(known.slice(0, some)), meanOf(known.slice(-some))];
  return first === null || last === null ? null : { first, last };
}
