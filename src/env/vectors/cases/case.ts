import type { ParseOptions } from "../../../task/parse/types.ts";

/** An answer too long to store as it is: prefix + unit × times + suffix. */
export interface Repeat {
  readonly prefix: string;
  readonly unit: string;
  readonly times: number;
  readonly suffix: string;
}

/** One answer to read, and how it was asked for. What comes of it is computed, never written. */
export interface ParseCase extends ParseOptions {
  /** What the case is there for. */
  readonly about: string;
  readonly answer: string | Repeat;
}

/** The text that a case stands for. */
export function answerText({ answer }: Pick<ParseCase, "answer">): string {
  if (typeof answer === "string") return answer;
  return answer.prefix + answer.unit.repeat(answer.times) + answer.suffix;
}

/** Cases for one thing, all asked for alike. */
export function cases(
  about: string,
  answers: readonly (string | Repeat)[],
  options: ParseOptions = {},
): ParseCase[] {
  return answers.map((answer) => ({ about, answer, ...options }));
}

/** The answer that training data teaches, with any label. */
export function objectNaming(label: string): string {
  return `{"intervention": ${JSON.stringify(label)}, "reason": "r"}`;
}

/** Empty arrays that bring the object holding them to this depth. */
export function nestedArrays(depth: number): string {
  return "[".repeat(depth - 1) + "]".repeat(depth - 1);
}
