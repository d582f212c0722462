import type { Rate } from "./rate.ts";

/** What a table shows where there is no value. */
export const NOT_AVAILABLE = "n/a";

/** A table with aligned columns, the first one left and the others right; each line ends in LF. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    widths
      .map((width, at) =>
        at === 0 ? (row[at] ?? "").padEnd(width) : (row[at] ?? "").padStart(width),
      )
      .join("  ")
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "));
  return lines.map((line) => `${line}\n`).join("");
}

/** A share as a percentage with one decimal, such as `11.0%`. */
export function percent(share: number | null): string {
  return share === null ? NOT_AVAILABLE : `${(share * 100).toFixed(1)}%`;
}

/** A difference of shares in percentage points with its sign, such as `+4.0`. */
export function points(difference: number | null): string {
  if (difference === null) return NOT_AVAILABLE;
  const text = (difference * 100).toFixed(1);
  // A difference that rounds to nothing has no sign.
  if (Number(text) === 0) return "0.0";
  return difference > 0 ? `+${text}` : text;
}

/** A number with so many decimals. */
export function decimal(value: number | null, decimals = 3): string {
  return value === null ? NOT_AVAILABLE : value.toFixed(decimals);
}

/** The interval of a rate, such as `6.3% to 18.6%`. */
export function intervalText({ low, high }: Pick<Rate, "low" | "high">): string {
  return low === null || high === null ? NOT_AVAILABLE : `${percent(low)} to ${percent(high)}`;
}

/** A rate's cells: share, counts, interval. */
export function rateCells(rate: Rate): [string, string, string] {
  const { numerator, denominator, value } = rate;
  return [percent(value), `${numerator} of ${denominator}`, intervalText(rate)];
}
