import { SteerError } from "../core/errors.ts";

/**
 * The rows that a request stands for: a whole number from 1 is a count, a number between 0 and 1
 * a share of `total`, to the nearest row, halves up. A share is taken as the decimal number that
 * was written: the float product 0.29 × 100 is 28.999…, and 0.07 × 100 is a little over 7.
 *
 * @throws SteerError `usage` for anything else
 */
export function partSize(total: number, request: number): number {
  if (Number.isSafeInteger(request) && request >= 1) return request;
  if (!(request > 0 && request < 1)) {
    throw new SteerError(
      "usage",
      `a part must be a whole number of rows from 1, or a share between 0 and 1, not ${request}`,
    );
  }
  const { digits, scale } = decimal(request);
  return Number((2n * digits * BigInt(total) + scale) / (2n * scale));
}

/** A share as digits / scale, from the shortest decimal that names its float. */
function decimal(share: number): { digits: bigint; scale: bigint } {
  const [mantissa = "", exponent = "0"] = String(share).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  return { digits: BigInt(whole + fraction), scale: 10n ** BigInt(places) };
}
