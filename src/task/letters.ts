import { sha256Mod } from "../core/hash.ts";
import { LABELS, type Label } from "../core/intervention.ts";
import { RULES } from "./parse/rules.ts";
import type { Letters } from "./parse/types.ts";

/** A to E. */
export type Letter = "A" | "B" | "C" | "D" | "E";

/** The option letters in order. */
export const LETTERS = [...RULES.optionLetters] as readonly Letter[];

/**
 * The cyclic shift of the label order for a trace: sha256 of the UTF-8 id, read as one
 * big-endian integer, modulo 5. Every label meets every letter about equally often, and the
 * mapping can be recomputed from the id alone.
 */
export function offsetOf(traceId: string): number {
  return sha256Mod(traceId, LABELS.length);
}

/** The labels that A to E stand for under an offset from 0 to 4. */
export function lettersAt(offset: number): Letters {
  return LETTERS.map((_, k) => LABELS[(k + offset) % LABELS.length]) as unknown as Letters;
}

/** The letter that stands for a label under an offset from 0 to 4. */
export function letterOf(label: Label, offset: number): Letter {
  const { length } = LABELS;
  return LETTERS[(LABELS.indexOf(label) - offset + length) % length] as Letter;
}
