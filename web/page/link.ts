import { subSeed } from "../../src/index.ts";
import { PARTS, type Part, type PlayTrace } from "./deck.ts";

/** What a shared address says: which traces, in which order. */
export interface Link {
  readonly seed: string;
  readonly part: Part;
}

const LONGEST_SEED = 64;

/** A link of what a person or an address asks for; what is missing or unknown is the default. */
export function toLink(seed: string | null, part: string | null): Link {
  const name = (seed || "1").slice(0, LONGEST_SEED).toWellFormed();
  return { seed: name, part: PARTS.find((each) => each === part) ?? "test" };
}

/** Reads the part of an address behind `#`. */
export function readLink(hash: string): Link {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  return toLink(fields.get("seed"), fields.get("part"));
}

/** The inverse of {@link readLink}. */
export function writeLink({ seed, part }: Link): string {
  return `#${new URLSearchParams({ seed, part })}`;
}

/** The traces in the order that a seed gives, whatever order they came in. */
export function inSeedOrder(traces: readonly PlayTrace[], seed: string): PlayTrace[] {
  return traces
    .map((trace) => ({ trace, key: subSeed(seed, "play", trace.id) }))
    .sort((first, second) => (first.key < second.key ? -1 : 1))
    .map(({ trace }) => trace);
}
