import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonl } from "../data/jsonl.ts";

/** What training writes into a run's folder: one JSON object a line, `step` and figures. */
export const CURVES_FILE = "metrics.jsonl";

/** One series over training steps, in ascending order of steps. */
export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly step: number; readonly value: number }[];
}

const rowSchema = z.looseObject({ step: z.number("must be a finite number") });

/**
 * The training curves beside a run, in order of first appearance: every field besides `step` that
 * holds a number somewhere, and every number of a field that holds several, `field/name`. Rows whose
 * `part` is not `train` are series of their own, `part/field`. Other values are no part of a curve.
 * A step told twice keeps its last row.
 *
 * @returns none when the folder has no `metrics.jsonl`
 * @throws SteerError `invalid` listing every faulty line, `unreadable`
 */
export async function readCurves(folder: string): Promise<Curve[]> {
  const file = join(folder, CURVES_FILE);
  if (!existsSync(file)) return [];
  const series = new Map<string, Map<number, number>>();
  await readJsonl(file, rowSchema, ({ step, part = "train", ...fields }) => {
    const prefix = part === "train" ? "" : `${part}/`;
    for (const [name, value] of numbersIn(fields)) {
      const points = series.get(`${prefix}${name}`) ?? new Map<number, number>();
      series.set(`${prefix}${name}`, points.set(step, value));
    }
  });
  return [...series].map(([name, points]) => ({
    name,
    points: [...points].sort(([a], [b]) => a - b).map(([step, value]) => ({ step, value })),
  }));
}

function numbersIn(fields: object): [string, number][] {
  return Object.entries(fields).flatMap(([name, value]): [string, number][] => {
    if (typeof value === "number") return [[name, value]];
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    return numbersIn(value).map(([inner, number]) => [`${name}/${inner}`, number]);
  });
}
