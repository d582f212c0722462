import type { PlayTrace } from "../../web/page/deck.ts";
import { makeTrace } from "../support/traces.ts";

/** A trace to play; any field can be replaced. */
export function playTrace(changes: Partial<PlayTrace> = {}): PlayTrace {
  return { wordsAnswer: null, ...makeTrace(changes), ...changes };
}
