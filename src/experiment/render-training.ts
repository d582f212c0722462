import { decimal, NOT_AVAILABLE, percent, renderTable } from "../result/table.ts";
import type { Course } from "../train/summary.ts";
import type { ArmFindings } from "./findings.ts";

/** How arms were trained, a line each; empty when none was. */
export function renderTraining(arms: readonly ArmFindings[]): string {
  const trained = arms.flatMap(({ title, training }) =>
    training === null ? [] : [{ title, training }],
  );
  if (trained.length === 0) return "";
  const table = renderTable(
    ["arm", "steps", "loss", "reward", "groups skipped", "tokens", "answer tokens", "minutes"],
    trained.map(({ title, training }) => [
      title,
      String(training.steps),
      courseText(training.loss),
      courseText(training.reward),
      percent(training.skipShare),
      String(training.tokens),
      String(training.answerTokens),
      decimal(training.seconds / 60, 1),
    ]),
  );
  return `\nTraining: loss and reward at its beginning and end (up to ten steps each), tokens that gradients\nwere taken on, minutes of its steps:\n${table}`;
}

function courseText(course: Course | null): string {
  return course === null ? NOT_AVAILABLE : `${decimal(course.first)} -> ${decimal(course.last)}`;
}
