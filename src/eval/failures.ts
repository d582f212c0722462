import { compareText } from "../core/hash.ts";
import { isErrorRow, type RunRow } from "../result/run-row.ts";

/** All failures of one code that a run met. */
export interface FailureKind {
  readonly code: string;
  readonly count: number;
  /** The first of them. */
  readonly example: { readonly id: string; readonly sample: number; readonly message: string };
  /** Whether asking again may pass with nothing else changed. */
  readonly resumeMayHelp: boolean;
}

/** Failures of the moment. Any other meets the same request again and fails alike. */
const PASSING = ["rate_limited", "http_5xx", "timeout", "connection", "bad_reply", "interrupted"];

/** Counts the failures among rows as they come. */
export function makeFailureTally() {
  const kinds = new Map<string, FailureKind>();
  return {
    add(rows: readonly RunRow[]): void {
      for (const { id, sample, error } of rows.filter(isErrorRow)) {
        const { code, message } = error;
        const before = kinds.get(code) ?? {
          code,
          count: 0,
          example: { id, sample, message },
          resumeMayHelp: PASSING.includes(code),
        };
        kinds.set(code, { ...before, count: before.count + 1 });
      }
    },
    /** The most frequent first. */
    kinds: (): FailureKind[] =>
      [...kinds.values()].sort((a, b) => b.count - a.count || compareText(a.code, b.code)),
  };
}

/** What failed, why, and what `--resume` can do about it: a few lines for people. */
export function failureText(kinds: readonly FailureKind[]): string {
  const count = kinds.reduce((sum, kind) => sum + kind.count, 0);
  const lines = kinds.map(({ code, count: own, example, resumeMayHelp }) => {
    const hope = resumeMayHelp ? "may pass when asked again" : "fails again until it is mended";
    return `  ${own} ${code} (${hope}), such as sample ${example.sample} of ${example.id}: ${example.message}`;
  });
  const advice = kinds.some(({ resumeMayHelp }) => resumeMayHelp)
    ? "ask again with --resume"
    : "--resume asks again, once the cause is mended";
  const what = count === 1 ? "1 answer failed" : `${count} answers failed`;
  return `${what}; ${advice}:\n${lines.join("\n")}\n`;
}
