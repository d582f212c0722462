import { describe, expect, it } from "vitest";
import { parse } from "../../src/task/parse/parse.ts";
import { LENIENT_REASONS, STRICT_REASONS } from "../../src/task/parse/types.ts";
import { type FuzzCase, fuzzCases } from "./fuzz-texts.ts";
import { describeWithPython, python } from "./python.ts";

/** Strict label and reason, lenient label and reason, rung, multiple: as the Python driver says it. */
type Reading = readonly [
  string | null,
  string | null,
  string | null,
  string | null,
  number,
  boolean,
];

function readInTypeScript(fuzzCase: FuzzCase): Reading {
  const { strict, lenient } = parse(fuzzCase.answer, fuzzCase);
  return [
    strict.label,
    strict.label === null ? strict.reason : null,
    lenient.label,
    lenient.label === null ? lenient.reason : null,
    lenient.rung,
    lenient.multiple === true,
  ];
}

const CASES = fuzzCases("steerbench");
const READINGS = CASES.map(readInTypeScript);

describe("the fuzz reaches every ending", () => {
  const LONG = 20;
  const SHARE = 0.02;
  const endings: [string, (reading: Reading) => boolean][] = [
    ...[3, 4, 5, 6, 7].map((rung): (typeof endings)[number] => [
      `decided on rung ${rung}`,
      (reading) => reading[4] === rung,
    ]),
    ...STRICT_REASONS.map((reason): (typeof endings)[number] => [
      `strictly ${reason}`,
      (reading) => reading[1] === reason,
    ]),
    ...LENIENT_REASONS.map((reason): (typeof endings)[number] => [
      `leniently ${reason}`,
      (reading) => reading[3] === reason,
    ]),
  ];
  // The names of these tests are the table of the fuzz: --reporter=verbose prints it.
  for (const [ending, endsSo] of endings) {
    const count = READINGS.filter(endsSo).length;
    const percent = ((100 * count) / READINGS.length).toFixed(1);
    it(`${percent}% of ${READINGS.length} texts are ${ending}`, () => {
      const isLong = ending.endsWith("too_long");
      expect(count).toBeGreaterThanOrEqual(isLong ? LONG : SHARE * READINGS.length);
    });
  }
});

describeWithPython("the Python port", () => {
  it("reads every text of the fuzz as TypeScript does", { timeout: 60_000 }, () => {
    expect(findDisagreements([])).toEqual([]);
  });

  it("reads no text otherwise when its labels are listed backwards", { timeout: 60_000 }, () => {
    expect(findDisagreements(["--labels-backwards"])).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7])(
    "is caught when it goes without rung %i",
    { timeout: 60_000 },
    (rung) => {
      // A quarter of the texts is enough: what fails on them fails on all.
      expect(findDisagreements(["--without-rung", String(rung)], CASES.length / 4)).not.toEqual([]);
    },
  );
});

/** The first few of the first `count` cases that Python reads otherwise, with both readings. */
function findDisagreements(flags: readonly string[], count = CASES.length): string[] {
  const asked = CASES.slice(0, count);
  const input = asked.map((fuzzCase) => JSON.stringify(fuzzCase)).join("\n");
  const lines = python(["test/parity/driver.py", ...flags], input).split("\n");
  if (lines.length !== asked.length) throw new Error(`${lines.length} lines came back`);
  return lines
    .map((line, i) => ({ line, i, ours: JSON.stringify(READINGS[i]) }))
    .filter(({ line, ours }) => line !== ours)
    .slice(0, 5)
    .map(({ line, i, ours }) => {
      return `${JSON.stringify(CASES[i]).slice(0, 500)}\n  TypeScript ${ours}\n  Python     ${line}`;
    });
}
