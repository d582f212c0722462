import { requireInnerShare } from "./check.ts";

/**
 * The standard normal quantile: the z below which a share `p` (0 < p < 1) of the distribution lies.
 * Algorithm AS 241, routine PPND16 (Wichura 1988, Applied Statistics 37:477-484): three rational
 * approximations with a relative error of about 1e-16.
 *
 * @throws SteerError `usage` for p outside (0, 1)
 */
export function normalQuantile(p: number): number {
  requireInnerShare("p", p);
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(CENTRE_ABOVE, r)) / polynomial(CENTRE_BELOW, r);
  }
  const tail = Math.sqrt(-Math.log(Math.min(p, 1 - p)));
  const z =
    tail <= 5
      ? polynomial(MIDDLE_ABOVE, tail - 1.6) / polynomial(MIDDLE_BELOW, tail - 1.6)
      : polynomial(FAR_ABOVE, tail - 5) / polynomial(FAR_BELOW, tail - 5);
  return q < 0 ? -z : z;
}

/**
 * The z of a two-sided interval at a confidence level: 1.96 at 0.95.
 *
 * @throws SteerError `usage` for a level outside (0, 1)
 */
export function twoSidedZ(level: number): number {
  requireInnerShare("level", level);
  // From the lower tail: 1 - tail would lose digits for levels near 1.
  return -normalQuantile((1 - level) / 2);
}

/** Horner's scheme; coefficients from the constant term up. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

const CENTRE_ABOVE = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
];
const CENTRE_BELOW = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852854,
];
const MIDDLE_ABOVE = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 7.745450142783414e-4,
];
const MIDDLE_BELOW = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008,
  0.015198666563616457, 5.475938084995345e-4, 1.0507500716444169e-9,
];
const FAR_ABOVE = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487,
  0.026532189526576124, 0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const FAR_BELOW = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 7.868691311456133e-4,
  1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
];
