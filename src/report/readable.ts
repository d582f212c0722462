import type { Metrics } from "../result/metrics.ts";
import { type Rate, rate } from "../result/rate.ts";

/** The share of answers that name a label. An arm that names none has no rate to be praised for. */
export function readableRate({ answers, unreadable, cutOff }: Metrics): Rate {
  return rate(answers - unreadable.numerator - cutOff.numerator, answers);
}

/** Whether an arm names a label in less than half of its answers. */
export function isMute(metrics: Metrics): boolean {
  return (readableRate(metrics).value ?? 1) < 0.5;
}
