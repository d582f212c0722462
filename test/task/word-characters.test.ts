import { expect, test } from "vitest";
import { isWordCode, UNICODE_VERSION } from "../../src/task/parse/word-characters.ts";

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const LAST_CODE_POINT = 0x10ffff;

test("the committed table holds exactly the letters, marks, numbers and the underscore", () => {
  const engine = process.versions["unicode"] ?? "none";
  const isSameVersion = engine.startsWith(UNICODE_VERSION);
  const differing: number[] = [];
  for (let code = 0; code <= LAST_CODE_POINT; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const isWord = WORD.test(String.fromCodePoint(code));
    // A newer engine knows more characters, an older one fewer; it may only differ in those.
    const isAssigned = !/\p{Cn}/u.test(String.fromCodePoint(code));
    if (isWordCode(code) !== isWord && (isSameVersion || isAssigned)) differing.push(code);
  }
  const isNewer = Number.parseFloat(engine) > Number.parseFloat(UNICODE_VERSION);
  if (isNewer) expect(differing.every((code) => !isWordCode(code))).toBe(true);
  else expect(differing).toEqual([]);
});
