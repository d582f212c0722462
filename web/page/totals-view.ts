import { table } from "./table.ts";
import { SCHEME_NAMES, type TotalsRow } from "./totals.ts";
import { showNumber } from "./words.ts";

/** What the player and the floor policies earned on the same traces. */
export function totalsView(rows: readonly TotalsRow[]): HTMLElement {
  const columns = ["player", "right", ...SCHEME_NAMES].map((name, at) => ({
    name,
    isNumber: at > 0,
  }));
  // One number of decimals for a column: expected counts are seldom whole.
  const decimals = rows.every(({ right }) => Math.abs(right - Math.round(right)) < 1e-9) ? 0 : 1;
  return table(
    "Rewards so far, on the same traces",
    columns,
    rows.map(({ name, right, totals }, at) => ({
      head: name,
      cells: [
        showNumber(right, decimals),
        ...SCHEME_NAMES.map((scheme) => showNumber(totals[scheme], 2)),
      ],
      isMarked: at === 0,
    })),
  );
}
