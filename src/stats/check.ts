import { SteerError } from "../core/errors.ts";

/** How far a list of probabilities may miss a sum of 1. */
const SUM_TOLERANCE = 1e-6;

/**
 * @throws SteerError `usage` unless `value` is a whole number from `least` to `most`
 */
export function requireWhole(
  name: string,
  value: number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new SteerError("usage", `${name} must be a whole number, ${range}; got ${value}`);
}

/**
 * @throws SteerError `usage` unless `value` lies strictly between 0 and 1
 */
export function requireInnerShare(name: string, value: number): void {
  if (value > 0 && value < 1) return;
  throw new SteerError("usage", `${name} must lie between 0 and 1, both excluded; got ${value}`);
}

/**
 * @throws SteerError `usage` unless every value is a number from `least` to `most`; NaN never is
 */
export function requireWithin(
  name: string,
  values: readonly number[],
  least: number,
  most: number,
): void {
  const at = values.findIndex((value) => !(value >= least && value <= most));
  if (at < 0) return;
  throw new SteerError("usage", `${name}[${at}] must be ${least} to ${most}; got ${values[at]}`);
}

/**
 * @throws SteerError `usage` unless every value is a finite number
 */
export function requireFinite(name: string, values: readonly number[]): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  throw new SteerError("usage", `${name}[${at}] must be a finite number; got ${values[at]}`);
}

/**
 * @throws SteerError `mismatch` unless two aligned lists have one length
 */
export function requireSameLength(
  nameA: string,
  a: ArrayLike<unknown>,
  nameB: string,
  b: ArrayLike<unknown>,
): void {
  if (a.length === b.length) return;
  throw new SteerError(
    "mismatch",
    `${nameA} and ${nameB} must be aligned: ${a.length} and ${b.length} entries`,
  );
}

/**
 * @throws SteerError `usage` unless the values are 0 or more and sum to 1
 */
export function requireDistribution(name: string, probabilities: readonly number[]): void {
  requireWithin(name, probabilities, 0, 1 + SUM_TOLERANCE);
  const sum = probabilities.reduce((total, p) => total + p, 0);
  if (Math.abs(sum - 1) <= SUM_TOLERANCE) return;
  throw new SteerError("usage", `${name} must sum to 1; got ${sum}`);
}
