import { InvalidArgumentError, Option } from "commander";

/** An option parser for whole numbers from `min` on. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isSafeInteger(value) || value < min) {
      throw new InvalidArgumentError(`it must be a whole number, ${min} or more.`);
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
export function jsonOption(): Option {
  return new Option("--json", "print one JSON document");
}

/** `--seed`: any text; the same seed gives the same result. */
export function seedOption(): Option {
  return new Option("--seed <s>", "same seed, same result").default("0");
}

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
