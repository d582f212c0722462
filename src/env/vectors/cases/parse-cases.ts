import type { ParseCase } from "./case.ts";
import { DECLARATIONS } from "./declarations.ts";
import { LETTERED } from "./lettered.ts";
import { OBJECTS } from "./objects.ts";
import { PREPARATION } from "./preparation.ts";
import { REPORTED } from "./reported.ts";
import { STRICT_OBJECTS } from "./strict-objects.ts";
import { WORDS } from "./words.ts";

/** Every answer of the parse vectors. */
export const PARSE_CASES: readonly ParseCase[] = [
  ...REPORTED,
  ...PREPARATION,
  ...STRICT_OBJECTS,
  ...OBJECTS,
  ...DECLARATIONS,
  ...WORDS,
  ...LETTERED,
];
