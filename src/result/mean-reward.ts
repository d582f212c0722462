import { OUTCOMES, type Outcome } from "../task/outcome.ts";
import type { Scheme } from "../task/scheme.ts";

/**
 * The mean price of some outcomes; null for none. Counted outcome by outcome, so that it does not
 * depend on their order.
 */
export function meanReward(outcomes: readonly Outcome[], { prices }: Scheme): number | null {
  if (outcomes.length === 0) return null;
  const sum = OUTCOMES.reduce((total, outcome) => {
    return total + outcomes.filter((each) => each === outcome).length * prices[outcome];
  }, 0);
  return sum / outcomes.length;
}
