import { InvalidArgumentError, Option } from "commander";
import { SteerError } from "../core/errors.ts";

/** An option parser for whole numbers from `min` to `max`, both included. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isSafeInteger(value) || value < min || value > max) {
      const end = max === Number.MAX_SAFE_INTEGER ? "or more" : `to ${max}`;
      throw new InvalidArgumentError(`it must be a whole number, ${min} ${end}.`);
    }
    return value;
  };
}

/** An option parser for finite numbers within bounds, both included. */
export function numberWithin(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`it must be a number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** `--json`: one JSON document on standard output. */
export function jsonOption(description = "print one JSON document"): Option {
  return new Option("--json", description);
}

/** `--seed`: any text; the same seed gives the same result. */
export function seedOption(): Option {
  return new Option("--seed <s>", "same seed, same result").default("0");
}

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

/** An option parser for one of a closed list of names. */
export function oneOf<T extends string>(names: readonly T[]): (text: string) => T {
  return (text) => {
    const name = names.find((each) => each === text);
    if (name === undefined) throw new InvalidArgumentError(`use one of ${names.join(", ")}.`);
    return name;
  };
}

/**
 * Refuses a call that lacks options it needs. Not commander's own check, which comes before the
 * one for unknown options: who mistypes a flag should be told the nearest flag, not that it is missing.
 *
 * @param needed each option's key and how it is written
 */
export function requireOptions(
  command: string,
  options: object,
  needed: Readonly<Record<string, string>>,
): void {
  const missing = Object.entries(needed).filter(([key]) => !(key in options));
  if (missing.length === 0) return;
  const flags = missing.map(([, flag]) => flag).join(" and ");
  throw new SteerError("usage", `${command} needs ${flags}; see ${command} --help`);
}
