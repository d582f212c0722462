import { byLabel } from "../../core/intervention.ts";
import { letterOf, lettersAt, offsetOf } from "../../task/letters.ts";
import type { Table } from "./format.ts";

const IDS: readonly string[] = [
  ...Array.from({ length: 36 }, (_, i) => `t-${String(i * 7919).padStart(6, "0")}`),
  "",
  " ",
  "a",
  "A",
  "0",
  "trace/with/slashes?and=marks",
  "\u00e9t\u00e9",
  "e\u0301te\u0301",
  "\u4e2d\u6587-7",
  "\u0442\u0440\u0430\u0441\u0441\u0430",
  "\ud83d\ude00",
  "\u05e9\u05dc\u05d5\u05dd",
  "line\nfeed\ttab\u0000nul",
  "\ufeffmarked",
  "lone\ud800",
  "x".repeat(300),
];

/** The offset of ids, and what the letters stand for under each offset. */
export function letterVectors(): Table {
  const offsets = [0, 1, 2, 3, 4].map((offset) => ({
    offset,
    letters: lettersAt(offset),
    letterOf: byLabel((label) => letterOf(label, offset)),
  }));
  return { version: 1, offsets, cases: IDS.map((id) => ({ id, offset: offsetOf(id) })) };
}
