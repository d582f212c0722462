import type { z } from "zod";
import { SteerError } from "../core/errors.ts";
import { explainIssues } from "../data/explain.ts";

/** Faults that one message lists; the rest are counted. */
const LISTED = 10;

/**
 * A received value in the shape of a schema.
 *
 * @throws SteerError `invalid` listing every fault as `path: message`
 */
export function validated<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = explainIssues(result.error, value, schema).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  const rest = faults.length > LISTED ? [`and ${faults.length - LISTED} more`] : [];
  throw new SteerError("invalid", [...faults.slice(0, LISTED), ...rest].join("; "));
}
