import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Lower-case hex sha256 of bytes, or of a text's UTF-8 form. */
export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data));
}

/** sha256 of a text's UTF-8 form, modulo a small positive integer, the digest read big-endian. */
export function sha256Mod(text: string, modulus: number): number {
  let rest = 0;
  for (const byte of sha256(utf8ToBytes(text))) rest = (rest * 256 + byte) % modulus;
  return rest;
}

/**
 * JSON with object keys in code-unit order, no white space and no `undefined`: equal values
 * give equal texts, whatever order their keys were written in.
 *
 * @throws TypeError for NaN and infinities, which JSON would silently turn into null
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`cannot write ${value} as JSON`);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => compareText(a, b));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** sha256 of a value's {@link canonicalJson}. */
export function digest(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}

/** Order of two texts by UTF-16 code unit: the same on every machine, unlike `localeCompare`. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The items in the order of sha256(salt + key): an order that carries no meaning,
 * does not depend on the input order, and that any language can recompute.
 */
export function orderByHash<T>(items: readonly T[], keyOf: (item: T) => string, salt = ""): T[] {
  return items
    .map((item) => ({ item, hash: sha256Hex(salt + keyOf(item)) }))
    .sort((a, b) => compareText(a.hash, b.hash))
    .map(({ item }) => item);
}
