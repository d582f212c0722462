import type { Trace } from "../core/trace.ts";
import type { ScenarioSet, TraceHead } from "../data/types.ts";
import type { Scheme } from "../task/scheme.ts";
import type { FilePart, TraceFormat } from "./format-types.ts";
import type { PairReport } from "./manifest.ts";
import type { SystemMode } from "./messages.ts";
import type { Rows } from "./order.ts";
import type { ExportRecord } from "./record-schema.ts";

/** The traces that one file is made of, and how. */
export interface PartContext {
  readonly set: ScenarioSet;
  readonly part: FilePart;
  /** In the set's heads. */
  readonly positions: Uint32Array;
  readonly system: SystemMode;
  readonly scheme: Scheme;
  readonly seed: string;
}

/** The rows of one file before they are put in order. Texts are read when a row is made. */
export interface RowSource extends Rows {
  /** Where the row's trace stands in the set's heads. */
  positionOf(row: number): number;
  /** @param index the row's place in the file, from 0; rows are asked for in that order */
  toRecord(row: number, trace: Trace, index: number): ExportRecord;
  /** What to say about the pairs once all rows are made; null where rows are not pairs. */
  reportPairs(): PairReport | null;
}

/** One row for each trace. */
export function traceRows(context: PartContext, format: TraceFormat): RowSource {
  const { set, part, positions, system } = context;
  const families = familyNumbers(set.heads, positions);
  return {
    count: positions.length,
    keyOf: (row) => headAt(set, positions[row]).id,
    familyOf: (row) => families[row] as number,
    positionOf: (row) => positions[row] as number,
    toRecord: (_, trace, index) => format.toRecord({ trace, part, index, system }),
    reportPairs: () => null,
  };
}

/** A number for each position, the same for traces of one family. */
export function familyNumbers(
  heads: readonly TraceHead[],
  positions: Iterable<number> & { readonly length: number },
): Int32Array {
  const numbers = new Map<string, number>();
  const result = new Int32Array(positions.length);
  let row = 0;
  for (const position of positions) {
    const { family } = heads[position] as TraceHead;
    let number = numbers.get(family);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(family, number);
    }
    result[row++] = number;
  }
  return result;
}

function headAt({ heads }: ScenarioSet, position: number | undefined): TraceHead {
  return heads[position as number] as TraceHead;
}
