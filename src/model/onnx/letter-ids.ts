import { SteerError } from "../../core/errors.ts";
import { LETTERS } from "../../task/letters.ts";

/**
 * The token that each letter A to E adds behind a prompt, found by encoding the prompt with and
 * without it: a letter's own entry in the vocabulary may not be what follows this prompt.
 *
 * @throws SteerError `mismatch`, naming the letter, unless each adds exactly one token, leaves the
 * prompt's own tokens as they are and differs from the other four
 */
export function findLetterIds(encode: (text: string) => number[], prompt: string): number[] {
  const before = encode(prompt);
  const ids: number[] = [];
  for (const letter of LETTERS) {
    const joint = encode(prompt + letter);
    const id = joint[before.length];
    const end = JSON.stringify(prompt.slice(-20));
    if (before.some((own, i) => joint[i] !== own)) {
      throw unfit(letter, `merges with the end of the prompt ${end}`);
    }
    if (id === undefined || joint.length !== before.length + 1) {
      throw unfit(letter, `is ${joint.length - before.length} tokens behind ${end}, not one`);
    }
    const twin = LETTERS[ids.indexOf(id)];
    if (twin !== undefined) throw unfit(letter, `is the same token as ${twin}`);
    ids.push(id);
  }
  return ids;
}

function unfit(letter: string, what: string): SteerError {
  const fix = "this tokenizer cannot be read by letters; use the generative readout";
  return new SteerError("mismatch", `letter ${letter} ${what}; ${fix}`);
}
