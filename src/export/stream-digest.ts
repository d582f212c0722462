import { createHash } from "node:crypto";
import { canonicalJson, compareText } from "../core/hash.ts";

/** Elements of a list that are turned into text at once. */
const STRIDE = 1000;

/**
 * The same hash as `digest`, without ever holding the whole text: a split of a million ids would
 * make two of a hundred megabytes.
 */
export function streamDigest(value: object): string {
  const hash = createHash("sha256");
  for (const piece of canonicalPieces(value)) hash.update(piece);
  return hash.digest("hex");
}

function* canonicalPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield "[";
    for (let start = 0; start < value.length; start += STRIDE) {
      const text = canonicalJson(value.slice(start, start + STRIDE)).slice(1, -1);
      yield start === 0 ? text : `,${text}`;
    }
    yield "]";
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => compareText(a, b));
    for (const [k, [key, item]] of entries.entries()) {
      yield `${k === 0 ? "{" : ","}${JSON.stringify(key)}:`;
      yield* canonicalPieces(item);
    }
    yield entries.length === 0 ? "{}" : "}";
  } else yield canonicalJson(value);
}
