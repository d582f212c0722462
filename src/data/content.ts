import { hash } from "node:crypto";
import type { MemoryEntry, Trace } from "../core/trace.ts";

/** First 16 hex digits of sha256 over the trace's canonical JSON. */
export function contentHash(trace: Trace): string {
  // Not a slice of the whole hex text: that would keep all of it in memory for each trace.
  return hash("sha256", canonicalTrace(trace), "buffer").toString("hex", 0, 8);
}

/**
 * `canonicalJson` of a trace. Naming the fields in order lets the engine write the text in one go,
 * which is five times as fast; a million traces are hashed at every load.
 */
export function canonicalTrace(trace: Trace): string {
  const { also, domain, family, id, label, links, memory, observation, rationale, task } = trace;
  const { tempting } = trace;
  return JSON.stringify({
    also,
    domain,
    family,
    id,
    label,
    links,
    memory: memory.map(canonicalEntry),
    observation,
    rationale,
    task,
    tempting: tempting && { label: tempting.label, rationale: tempting.rationale },
  });
}

function canonicalEntry({ saved, scope, text }: MemoryEntry) {
  return { saved, scope, text };
}
