import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SteerError } from "../../core/errors.ts";
import { compareText } from "../../core/hash.ts";
import { LABELS } from "../../core/intervention.ts";
import { readJsonl } from "../jsonl.ts";

/** One blind label: what a reader who saw neither gold nor rationale said of one text. */
export const reviewSchema = z.strictObject({
  trace: z.string().min(1),
  /** First 16 hex digits of sha256 over the situation as it was read. */
  content: z.string().regex(/^[0-9a-f]{16}$/, "must be 16 hex digits"),
  label: z.enum(LABELS),
  /** How sure the reader was, 0 to 1. */
  sure: z.number().min(0).max(1),
  reader: z.string().min(1),
  /** Rounds count from 1. */
  round: z.int().min(1),
});

/** See {@link reviewSchema}. */
export type Review = z.infer<typeof reviewSchema>;

/**
 * Reads the blind labels of a set, `review/*.jsonl` in its folder.
 *
 * @param known ids of the set's traces
 * @throws SteerError `not_found` where there are none, `invalid` for rows that fit no trace or
 *   repeat a reader's label of one round
 */
export async function readReviews(path: string, known: ReadonlySet<string>): Promise<Review[]> {
  const folder = join(path, "review");
  const names = existsSync(folder) ? readdirSync(folder).filter(isRows).sort(compareText) : [];
  if (names.length === 0) {
    throw new SteerError("not_found", `${folder}: no .jsonl files; blind labels belong there`);
  }
  const reviews: Review[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    await readJsonl(join(folder, name), reviewSchema, (row, { file, line }, faults) => {
      const key = JSON.stringify([row.trace, row.reader, row.round]);
      if (!known.has(row.trace)) {
        faults.add({ file, line, path: "trace", message: `no trace of the set is ${row.trace}` });
      } else if (seen.has(key)) {
        const message = `${row.reader} has labelled ${row.trace} in round ${row.round} before`;
        faults.add({ file, line, message });
      }
      seen.add(key);
      reviews.push(row);
    });
  }
  return reviews;
}

function isRows(name: string): boolean {
  return name.endsWith(".jsonl");
}
