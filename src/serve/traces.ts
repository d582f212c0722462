import { SteerError } from "../core/errors.ts";
import type { Label } from "../core/intervention.ts";
import type { Trace } from "../core/trace.ts";
import { shorten } from "../data/explain.ts";
import type { Part, ScenarioSet, Split } from "../data/types.ts";
import { requireVerified } from "../data/verify.ts";
import type { AnswerKey } from "./answer-key.ts";

/** The traces that the server may use. */
export interface LoadedTraces extends AnswerKey {
  readonly name: string;
  /** Digest of the whole set. */
  readonly digest: string;
  /** Each side's traces; test has none when it is held out. */
  readonly sides: Readonly<Record<Part, readonly Trace[]>>;
  /** Whether test traces may be used. */
  readonly allowsTest: boolean;
  /**
   * The side of a trace.
   *
   * @throws SteerError `not_found`, or `held_out` for test traces that are not to be used
   */
  partOf(traceId: string): Part;
}

/**
 * Takes the traces of a verified split out of their set, which can be closed afterwards.
 *
 * @throws SteerError `unverified` when the split does not fit the set
 */
export async function loadTraces(
  set: ScenarioSet,
  split: Split,
  {
    splitFile,
    allowTest,
    onProgress,
  }: {
    readonly splitFile: string;
    readonly allowTest: boolean;
    readonly onProgress?: (done: number, total: number) => void;
  },
): Promise<LoadedTraces> {
  const rows = await requireVerified(set, split, { file: splitFile, onProgress });
  const read = (positions: readonly number[]) =>
    positions.map((position) => set.readTrace(position));
  const sides = { train: read(rows.train), test: allowTest ? read(rows.test) : [] };
  const known = new Map<string, { readonly part: Part; readonly label: Label }>();
  for (const part of ["train", "test"] as const) {
    for (const { id, label } of sides[part]) known.set(id, { part, label });
  }
  const heldOut = new Set(allowTest ? [] : split.test);
  const find = (traceId: string) => {
    const found = known.get(traceId);
    if (found) return found;
    const name = shorten(traceId);
    if (heldOut.has(traceId)) {
      throw new SteerError(
        "held_out",
        `trace_id: ${name} is held out for testing; start the server with --allow-test to use it`,
      );
    }
    throw new SteerError("not_found", `trace_id: ${set.name} has no trace ${name}`);
  };
  return {
    name: set.name,
    digest: set.digest,
    sides,
    allowsTest: allowTest,
    partOf: (traceId) => find(traceId).part,
    labelOf: (traceId) => find(traceId).label,
  };
}
