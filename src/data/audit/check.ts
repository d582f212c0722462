/** One thing looked for. Passing means that it was not found, not that it cannot be there. */
export interface AuditCheck {
  readonly name: string;
  readonly passed: boolean;
  /** What was measured, and the bar. */
  readonly detail: string;
  /** Each place where it was found. */
  readonly findings: readonly string[];
}
