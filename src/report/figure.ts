import type { Drawing } from "./draw.ts";
import type { Markup } from "./markup.ts";

/** Rows of text under a head; the first column names the row. */
export interface Numbers {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One figure of the report: drawings side by side, how to read them, and their numbers. */
export interface Figure {
  /** Its place in the page, `#name`. */
  readonly name: string;
  readonly title: string;
  /** What a reader must know to read it. */
  readonly lead: Markup;
  /** Stands below the lead, for who wants to know more. */
  readonly notes?: Markup | null;
  readonly drawings: readonly Drawing[];
  readonly numbers: Numbers;
}
