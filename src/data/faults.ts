import { type ErrorCode, type Fault, formatFault, SteerError } from "../core/errors.ts";

/** Faults that an error lists; the rest are counted. */
export const LISTED_FAULTS = 100;

/**
 * Gathers the faults of an input, so that all of them are reported at once. Only the first
 * {@link LISTED_FAULTS} are kept: a file of a million bad rows must not fill the memory.
 */
export class FaultList {
  readonly faults: Fault[] = [];
  /** All faults, those that were not kept included. */
  count = 0;

  add(fault: Fault): void {
    this.count++;
    if (this.faults.length < LISTED_FAULTS) this.faults.push(fault);
  }

  /** @throws SteerError `code` listing the faults, if there are any */
  throwIfAny(code: ErrorCode): void {
    if (this.count > 0) this.raise(code);
  }

  /** @throws SteerError `code` listing the faults */
  raise(code: ErrorCode): never {
    const { faults, count } = this;
    if (count === faults.length) throw SteerError.fromFaults(code, faults);
    const rest = `… and ${count - faults.length} more (${count} in all)`;
    throw new SteerError(code, [...faults.map(formatFault), rest].join("\n"), { faults });
  }
}
