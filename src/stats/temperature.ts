import { SteerError } from "../core/errors.ts";
import { requireDistribution, requireSameLength, requireWhole } from "./check.ts";

/** Temperatures that are tried: beyond these, probabilities are as good as certain or even. */
export const TEMPERATURE_RANGE = { least: 0.01, most: 100 } as const;

/** Width, in log T, to which the minimum is narrowed down. */
const PRECISION = 1e-10;

/** A loss that moves less than this over the whole range, in nats, tells no temperature from another. */
const FLAT = 1e-9;

/**
 * Natural logarithms of the probabilities at a temperature T: of p^(1/T), scaled to sum to 1. Above
 * 1 they are more even, below 1 more certain; their order stays. 0 stays 0 (-Infinity), and because
 * these are logarithms nothing else becomes 0.
 *
 * @param probabilities one distribution
 * @throws SteerError `usage` for an invalid distribution or a temperature that is not above 0
 */
export function temper(probabilities: readonly number[], temperature: number): number[] {
  requireDistribution("probabilities", probabilities);
  if (!(temperature > 0 && Number.isFinite(temperature))) {
    throw new SteerError("usage", `temperature must be above 0 and finite; got ${temperature}`);
  }
  const scores = probabilities.map((p) => Math.log(p) / temperature);
  const total = logSumExp(scores);
  return scores.map((score) => score - total);
}

/** A fitted temperature and how the fit ended. */
export interface TemperatureFit {
  readonly temperature: number;
  /**
   * `minimum`: the loss is least here. `lower_bound`, `upper_bound`: it still falls at the end of
   * {@link TEMPERATURE_RANGE}, which is then the temperature. `flat`: it is the same at every
   * temperature (probabilities are even, or 0 and 1); the temperature is then 1.
   */
  readonly stop: "minimum" | "lower_bound" | "upper_bound" | "flat";
  /** Items fitted on. */
  readonly counted: number;
  /** Items left out because their gold label has probability 0, which no temperature changes. */
  readonly impossible: number;
  /** Mean negative log-likelihood of the items fitted on, in nats: as given, and at the temperature. */
  readonly lossBefore: number;
  readonly lossAfter: number;
}

/**
 * The temperature with the least mean negative log-likelihood (Guo et al. 2017, "On Calibration of
 * Modern Neural Networks", section 4.2, with the logarithms of the given probabilities as logits).
 * The loss is convex in 1/T, so its slope changes sign once at most; halving finds where, along log
 * T. No start value, no random numbers.
 *
 * @param probabilities one distribution per item
 * @param gold position of each item's right label
 * @throws SteerError `usage` or `mismatch` for invalid input, `impossible` when no item can be
 *   fitted on
 */
export function fitTemperature(
  probabilities: readonly (readonly number[])[],
  gold: readonly number[],
): TemperatureFit {
  const items = readItems(probabilities, gold);
  const fitted = items.filter(({ goldLog }) => goldLog > Number.NEGATIVE_INFINITY);
  if (fitted.length === 0) {
    throw new SteerError(
      "impossible",
      `no temperature can be fitted: none of ${items.length} items gives its gold label a probability above 0`,
    );
  }
  const { temperature, stop } = minimum(fitted);
  return {
    temperature,
    stop,
    counted: fitted.length,
    impossible: items.length - fitted.length,
    lossBefore: loss(fitted, 1),
    lossAfter: loss(fitted, temperature),
  };
}

function minimum(items: readonly Item[]): Pick<TemperatureFit, "temperature" | "stop"> {
  const { least, most } = TEMPERATURE_RANGE;
  const losses = [least, 1, most].map((temperature) => loss(items, temperature));
  if (Math.max(...losses) - Math.min(...losses) < FLAT) return { temperature: 1, stop: "flat" };
  if (slope(items, least) <= 0) return { temperature: least, stop: "lower_bound" };
  if (slope(items, most) >= 0) return { temperature: most, stop: "upper_bound" };
  let [low, high] = [Math.log(least), Math.log(most)];
  while (high - low > PRECISION) {
    const middle = (low + high) / 2;
    if (slope(items, Math.exp(middle)) > 0) low = middle;
    else high = middle;
  }
  return { temperature: Math.exp((low + high) / 2), stop: "minimum" };
}

/** One item: the logarithms of its possible labels, and of the gold label. */
interface Item {
  readonly logs: readonly number[];
  readonly goldLog: number;
}

function readItems(
  probabilities: readonly (readonly number[])[],
  gold: readonly number[],
): readonly Item[] {
  requireSameLength("probabilities", probabilities, "gold", gold);
  return probabilities.map((item, at) => {
    requireDistribution(`probabilities[${at}]`, item);
    requireWhole(`gold[${at}]`, gold[at] as number, 0, item.length - 1);
    const logs = item.map(Math.log);
    return { logs: logs.filter(Number.isFinite), goldLog: logs[gold[at] as number] as number };
  });
}

/** Mean negative log-likelihood at a temperature. */
function loss(items: readonly Item[], temperature: number): number {
  return mean(items, ({ logs, goldLog }) => {
    return logSumExp(logs.map((log) => log / temperature)) - goldLog / temperature;
  });
}

/** Derivative of the loss by 1/T: above 0 where a higher temperature fits better. */
function slope(items: readonly Item[], temperature: number): number {
  return mean(items, ({ logs, goldLog }) => {
    const total = logSumExp(logs.map((log) => log / temperature));
    // Differences from the gold label, so that even probabilities give exactly 0.
    return logs.reduce((sum, log) => {
      return sum + Math.exp(log / temperature - total) * (log - goldLog);
    }, 0);
  });
}

function mean(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + measure(item), 0) / items.length;
}

function logSumExp(scores: readonly number[]): number {
  const highest = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return highest + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - highest), 0));
}
