import { LABELS } from "../core/intervention.ts";
import type { RunMetrics } from "../result/metrics.ts";
import type { Rate } from "../result/rate.ts";
import type { Arm } from "./arms.ts";

/** What always giving one label would get on some arms' answers. */
export interface Floor {
  /** Such as `always ACT`, or `1, 3: always ACT (tie of 2)` where arms differ. */
  readonly label: string;
  readonly accuracy: Rate;
}

/** The best constant label of each arm's answers: one, where all have the same gold labels. */
export function floorsOf(arms: readonly Arm[]): Floor[] {
  const groups = new Map<string, { floor: Floor; numbers: number[] }>();
  for (const { metrics, number } of arms) {
    const { bestConstant } = metrics;
    if (bestConstant === null) continue;
    const { accuracy } = bestConstant;
    const ties = tiedLabels(metrics);
    const tie = ties > 1 ? ` (tie of ${ties})` : "";
    const label = `always ${bestConstant.label}${tie}`;
    const key = `${label} ${accuracy.numerator} ${accuracy.denominator}`;
    const group = groups.get(key) ?? { floor: { label, accuracy }, numbers: [] };
    groups.set(key, { ...group, numbers: [...group.numbers, number] });
  }
  if (groups.size === 1) return [...groups.values()].map(({ floor }) => floor);
  return [...groups.values()].map(({ floor, numbers }) => ({
    ...floor,
    label: `${numbers.join(", ")}: ${floor.label}`,
  }));
}

/** The best constant label, and with how many others it ties. */
export function bestLabels(metrics: RunMetrics): string {
  const label = metrics.bestConstant?.label ?? "";
  const ties = tiedLabels(metrics);
  return ties > 1 ? `${label} (a tie of ${ties} labels)` : label;
}

/** How many labels are right as often as the best constant one. */
function tiedLabels({ bestConstant, confusion }: RunMetrics): number {
  return LABELS.filter((gold) => {
    const count = Object.values(confusion[gold]).reduce((sum, each) => sum + each, 0);
    return count === bestConstant?.accuracy.numerator;
  }).length;
}
