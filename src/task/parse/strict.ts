import { isLabel } from "../../core/intervention.ts";
import { type Prepared, wholeObject } from "./prepare.ts";
import { RULES } from "./rules.ts";
import { type Letters, type StrictParse, unread } from "./types.ts";

/** Reads the answer only when it is exactly what the prompt asked for. */
export function parseStrict(prepared: Prepared, letters?: Letters): StrictParse {
  if (prepared.kind === "nothing") return unread(prepared.reason);
  if (letters) return parseLetter(prepared.text, letters);
  const object = prepared.kind === "object" ? prepared.object : wholeObject(prepared.text);
  if (!object) return unread("not_one_object");
  if (object.hasRepeatedKey) return unread("repeated_key");
  if (!isLabel(object.intervention)) return unread("invalid_label");
  return object.hasReason ? { label: object.intervention, rung: 0 } : unread("no_reason");
}

function parseLetter(text: string, letters: Letters): StrictParse {
  const label = text.length === 1 ? letters[RULES.optionLetters.indexOf(text)] : undefined;
  return label ? { label, rung: 0 } : unread("not_a_letter");
}
