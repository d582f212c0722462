import { SteerError } from "../core/errors.ts";
import type { Trace } from "../core/trace.ts";
import { reparseJsonLine } from "./json-line.ts";
import type { TextStore } from "./text-store.ts";
import type { TraceHead } from "./types.ts";

/**
 * The rows of a set and where their texts can be had again. Parallel lists of numbers, because an
 * object for each of a million rows would cost as much as its head.
 */
export class RowTable {
  readonly heads: TraceHead[] = [];
  private readonly stores: TextStore[] = [];
  private readonly storeOf: number[] = [];
  private readonly offsets: number[] = [];
  private readonly lengths: number[] = [];

  /** Rows added from now on lie in this store. */
  addStore(store: TextStore): void {
    this.stores.push(store);
  }

  add(head: TraceHead, offset: number, length: number): void {
    this.heads.push(head);
    this.storeOf.push(this.stores.length - 1);
    this.offsets.push(offset);
    this.lengths.push(length);
  }

  /**
   * @throws RangeError for a position that no row has
   * @throws SteerError `mismatch` or `unreadable` when the file was changed since it was loaded
   */
  readTrace(index: number): Trace {
    const head = this.heads[index];
    const store = this.stores[this.storeOf[index] ?? -1];
    if (!head || !store) {
      throw new RangeError(`no trace at position ${index} of ${this.heads.length}`);
    }
    const bytes = store.read(this.offsets[index] ?? 0, this.lengths[index] ?? 0);
    const trace = parse(bytes);
    if (trace?.id === head.id) return trace;
    throw new SteerError("mismatch", `${head.file}:${head.line}: changed while it was in use`);
  }
}

/** The row was checked when it was loaded. */
function parse(bytes: Buffer): Trace | null {
  try {
    return reparseJsonLine(bytes) as Trace;
  } catch {
    return null;
  }
}
