import { parse } from "../../task/parse/parse.ts";
import { answerText, type ParseCase } from "./cases/case.ts";
import { PARSE_CASES } from "./cases/parse-cases.ts";
import type { Table } from "./format.ts";

/** What each answer reads as, strictly and leniently, with reason code, rung and `multiple`. */
export function parseVectors(): Table {
  return { version: 1, cases: PARSE_CASES.map(parseVector) };
}

function parseVector(parseCase: ParseCase): object {
  const { strict, lenient } = parse(answerText(parseCase), parseCase);
  return { ...parseCase, strict, lenient };
}
