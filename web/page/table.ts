import { type Child, h } from "./dom.ts";

/** A column: its name, and whether it holds numbers. */
export interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
}

/** A row: its heading, the other cells, and whether it stands out. */
export interface Row {
  readonly head: Child;
  readonly cells: readonly Child[];
  readonly isMarked?: boolean;
}

/** A table whose first column names the rows. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly Row[],
): HTMLElement {
  const looks = (column: number) => (columns[column]?.isNumber ? { class: "number" } : {});
  const head = columns.map(({ name }, at) => h("th", { scope: "col", ...looks(at) }, name));
  const body = rows.map(({ head: name, cells, isMarked }) =>
    h(
      "tr",
      isMarked ? { class: "marked" } : {},
      h("th", { scope: "row" }, name),
      ...cells.map((cell, at) => h("td", looks(at + 1), cell)),
    ),
  );
  return h(
    "table",
    {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...body),
  );
}
