import { SteerError } from "../core/errors.ts";
import { byLabel } from "../core/intervention.ts";
import { DOMAINS } from "../core/trace.ts";
import type { ScenarioSet, TraceHead } from "../data/types.ts";
import type { DataFile } from "./manifest.ts";
import { spreadOrder } from "./order.ts";
import { type NormaliseCounts, normalise, type RecordSchema } from "./record-schema.ts";
import type { RowSource } from "./row-source.ts";

/** Rows between two reports of progress. */
const REPORT_EVERY = 1000;

/** How {@link orderedRecords} goes about it. */
interface OrderOptions {
  readonly seed: string;
  /** Called every thousand rows and at the end, with the rows done. */
  readonly onRow?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file's records in their final order, made one by one, and what can be said once all are made. */
export interface PartFile {
  readonly records: Iterable<Record<string, unknown>>;
  summary(): Omit<DataFile, "name" | "part" | "bytes" | "sha256">;
}

/**
 * Puts a file's rows in order and makes their records as they are asked for.
 *
 * @throws SteerError `interrupted` when `signal` is aborted
 */
export function orderedRecords(
  set: ScenarioSet,
  source: RowSource,
  schema: RecordSchema,
  { seed, onRow, signal }: OrderOptions,
): PartFile {
  const { order, neighbours } = spreadOrder(source, `${seed}/order`);
  const counts = byLabel(() => Object.fromEntries(DOMAINS.map((domain) => [domain, 0])));
  const normalised: NormaliseCounts = { replacedCharacters: 0 };
  let observationsEndingInSpace = 0;
  function* records() {
    for (const [index, row] of order.entries()) {
      const position = source.positionOf(row);
      const { label, domain } = set.heads[position] as TraceHead;
      const trace = set.readTrace(position);
      counts[label][domain] = (counts[label][domain] ?? 0) + 1;
      if (trace.observation.trimEnd() !== trace.observation) observationsEndingInSpace++;
      yield normalise(schema, source.toRecord(row, trace, index), normalised);
      if (index % REPORT_EVERY === 0) {
        stopIfAborted(signal);
        onRow?.(index);
      }
    }
    onRow?.(order.length);
  }
  return {
    records: records(),
    summary: () => ({
      rows: order.length,
      counts: counts as DataFile["counts"],
      siblingNeighbours: neighbours,
      replacedCharacters: normalised.replacedCharacters,
      observationsEndingInSpace,
      pairs: source.reportPairs(),
    }),
  };
}

/** @throws SteerError `interrupted` when `signal` is aborted */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SteerError("interrupted", "export interrupted");
}
