import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SteerError } from "../core/errors.ts";
import { readError, systemReason } from "../data/file-error.ts";
import { writeFileAtomic } from "../data/write-file.ts";
import { type MetricsRow, metricsRowSchema } from "./metrics-row.ts";

/** The file of {@link MetricsRow} in a training folder. */
export const METRICS_FILE = "metrics.jsonl";

/** `metrics.jsonl` while a run writes it. */
export interface MetricsLog {
  /** In the order of steps; validation after training. */
  readonly rows: readonly MetricsRow[];
  append(row: MetricsRow): Promise<void>;
}

/**
 * Opens the log of a run that stands at a step. Rows of later steps, which a killed process wrote
 * after its last checkpoint, are dropped: these steps will be made again.
 */
export async function openMetricsLog(folder: string, step: number): Promise<MetricsLog> {
  const path = join(folder, METRICS_FILE);
  const rows = (await readMetrics(folder)).filter((row) => row.step <= step);
  await writeFileAtomic(path, rows.map(lineOf).join(""));
  return {
    rows,
    async append(row) {
      rows.push(metricsRowSchema.parse(row));
      try {
        await appendFile(path, lineOf(row));
      } catch (error) {
        const message = `${path}: cannot be written: ${systemReason(error)}`;
        throw new SteerError("unwritable", message, { cause: error });
      }
    },
  };
}

/**
 * The rows of a training folder; none without the file. A last line without its end, which a kill
 * leaves, is no row.
 *
 * @throws SteerError `invalid` naming the line, or `unreadable`
 */
export async function readMetrics(folder: string): Promise<MetricsRow[]> {
  const path = join(folder, METRICS_FILE);
  if (!existsSync(path)) return [];
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw readError(path, error);
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line, at) => readRow(line, path, at + 1));
}

function readRow(text: string, file: string, line: number): MetricsRow {
  try {
    return metricsRowSchema.parse(JSON.parse(text));
  } catch {
    const message = "is no row of training metrics; delete it to go on without";
    throw SteerError.fromFaults("invalid", [{ file, line, message }]);
  }
}

function lineOf(row: MetricsRow): string {
  return `${JSON.stringify(row)}\n`;
}
