import { SteerError } from "../core/errors.ts";
import { LABELS, type Label } from "../core/intervention.ts";
import { shorten } from "../data/explain.ts";

/** What the loaded set says is right. */
export interface AnswerKey {
  /**
   * The gold label of a trace.
   *
   * @throws SteerError `not_found`; `held_out` for test traces that are not to be used
   */
  labelOf(traceId: string): Label;
}

/**
 * The gold label of an answer: its own, or its trace's. There is no default.
 *
 * @param key null when no set is loaded
 * @throws SteerError `invalid` when neither is there, `mismatch` when the two contradict each
 *   other, `state` for a bare trace id without a set; what {@link AnswerKey.labelOf} throws
 */
export function goldOf(
  { gold, trace_id }: { gold?: Label | null | undefined; trace_id?: string | null | undefined },
  key: AnswerKey | null,
): Label {
  const stated = gold ?? null;
  const traceId = trace_id ?? null;
  if (traceId === null || (key === null && stated !== null)) {
    if (stated !== null) return stated;
    throw new SteerError(
      "invalid",
      `gold: required field is missing; use one of ${LABELS.join(", ")}, or the trace_id of a loaded set`,
    );
  }
  if (key === null) {
    throw new SteerError(
      "state",
      "trace_id: no set is loaded; send gold, or start the server with SET --split FILE",
    );
  }
  const label = key.labelOf(traceId);
  if (stated === null || stated === label) return label;
  throw new SteerError(
    "mismatch",
    `gold: ${stated}, but the set says ${label} of ${shorten(traceId)}`,
  );
}
