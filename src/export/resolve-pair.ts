import type { Trace } from "../core/trace.ts";
import { goldAnswer } from "../task/prompt.ts";
import type { Scheme } from "../task/scheme.ts";
import { type Payment, score } from "../task/score.ts";
import { cutOffAnswer, malformedAnswer } from "./broken-answers.ts";
import type { PlannedPair, ResolvedPair } from "./negatives.ts";
import { goldOf } from "./sft.ts";

/**
 * The texts of a planned pair.
 *
 * @param trace the pair's own trace
 * @param readTrace reads the trace at a position of the set
 */
export function resolvePair(
  { source, label }: PlannedPair,
  trace: Trace,
  readTrace: (position: number) => Trace,
  scheme: Scheme,
): ResolvedPair {
  if ("answers" in source) return source.answers;
  const chosen = goldOf(trace);
  if ("broken" in source) {
    const isCut = source.broken === "cut_off";
    const rejected = isCut ? cutOffAnswer(trace) : malformedAnswer(trace);
    const finish = isCut ? "length" : "stop";
    return { chosen, rejected, margin: marginOf(trace, chosen, rejected, finish, scheme) };
  }
  const { reason } = source;
  const rationale =
    "sibling" in reason ? readTrace(reason.sibling).rationale : trace.tempting?.rationale;
  if (label === null || rationale === undefined) {
    throw new Error(`trace ${trace.id}: a planned negative lost its reason`);
  }
  const rejected = goldAnswer(label, rationale);
  return { chosen, rejected, margin: marginOf(trace, chosen, rejected, "stop", scheme) };
}

function marginOf(
  { label: gold }: Trace,
  chosen: string,
  rejected: string,
  finish: string,
  scheme: Scheme,
): number {
  const paid = (answer: string, finish: string) =>
    (score({ gold, answer, finish }, [scheme]).payments[scheme.name] as Payment).reward;
  return paid(chosen, "stop") - paid(rejected, finish);
}
