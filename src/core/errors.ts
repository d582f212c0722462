/**
 * The closed list of what can be wrong. A code says which kind of repair is due;
 * the message names the place, the offending value and the fix.
 *
 * - `usage`: the command or call itself is wrong (exit code 2)
 * - `not_found`, `unreadable`, `unwritable`: a file or folder
 * - `invalid`: content that breaks its schema
 * - `duplicate`: two rows share a key that must be unique
 * - `foreign_version`: a stored format of another version
 * - `mismatch`: two inputs that do not belong together
 * - `unverified`: a split that its set does not confirm
 * - `held_out`: test rows asked for without the explicit flag
 * - `impossible`: a request that no result can satisfy
 * - `dominated`: prices under which garbage beats a holding answer
 * - `state`: a call out of order, such as a second step in one episode
 * - `interrupted`: stopped by a signal (exit code 130)
 */
export const ERROR_CODES = [
  "usage",
  "not_found",
  "unreadable",
  "unwritable",
  "invalid",
  "duplicate",
  "foreign_version",
  "mismatch",
  "unverified",
  "held_out",
  "impossible",
  "dominated",
  "state",
  "interrupted",
] as const;

/** One of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One fault at one place of an input. Lines and columns count from 1. */
export interface Fault {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The field, such as `memory[2].scope`. */
  readonly path?: string;
  readonly message: string;
}

/** `file:line:column: path: message`, leaving out the parts that are not known. */
export function formatFault({ file, line, column, path, message }: Fault): string {
  const place = [file, line, line === undefined ? undefined : column].filter(
    (part) => part !== undefined,
  );
  return `${place.join(":")}: ${path ? `${path}: ` : ""}${message}`;
}

/**
 * The only error this project throws on purpose. Broken input, a broken call or an
 * interruption throws; what a model does wrong is a value in its row.
 */
export class SteerError extends Error {
  override readonly name = "SteerError";
  readonly code: ErrorCode;
  /** Every fault found, when the error lists several; empty otherwise. */
  readonly faults: readonly Fault[];

  constructor(
    code: ErrorCode,
    message: string,
    { faults = [], cause }: { readonly faults?: readonly Fault[]; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.faults = faults;
  }

  /** One error for all faults of an input; its message lists each on a line of its own. */
  static fromFaults(code: ErrorCode, faults: readonly Fault[]): SteerError {
    return new SteerError(code, faults.map(formatFault).join("\n"), { faults });
  }
}
