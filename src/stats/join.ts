import { SteerError } from "../core/errors.ts";
import { compareText } from "../core/hash.ts";

/** One measurement of an arm. */
export interface Measured {
  readonly id: string;
  readonly value: number;
}

/** Arms aligned on the ids that all of them measured. */
export interface Joined {
  /** In code-unit order. */
  readonly ids: readonly string[];
  /** One list per arm, aligned with `ids`. */
  readonly arms: readonly (readonly number[])[];
}

/**
 * Aligns arms by id, whatever the order of their rows; ids that an arm lacks are left out.
 *
 * @throws SteerError `duplicate`, naming every id that one arm holds twice
 */
export function joinById(arms: readonly (readonly Measured[])[]): Joined {
  refuseDuplicates(arms);
  const maps = arms.map((rows) => new Map(rows.map(({ id, value }) => [id, value])));
  const ids = [...(maps[0]?.keys() ?? [])]
    .filter((id) => maps.every((values) => values.has(id)))
    .sort(compareText);
  return { ids, arms: maps.map((values) => ids.map((id) => values.get(id) as number)) };
}

function refuseDuplicates(arms: readonly (readonly Measured[])[]): void {
  const found = arms.flatMap((rows, arm) => {
    const seen = new Set<string>();
    const twice = new Set<string>();
    for (const { id } of rows) (seen.has(id) ? twice : seen).add(id);
    return [...twice].map((id) => `arm ${arm}: ${JSON.stringify(id)}`);
  });
  if (found.length === 0) return;
  throw new SteerError("duplicate", `ids that one arm measured twice:\n  ${found.join("\n  ")}`);
}
