import fc from "fast-check";
import { expect, test } from "vitest";
import { fromStored, type RunRow, rowLine, type StoredRow } from "../../src/result/run-row.ts";
import { schemaOfRow } from "../../src/result/run-schema.ts";
import { decisionRow, letterRow, textRow } from "./support.ts";

function roundTrip(row: RunRow): RunRow {
  const value: unknown = JSON.parse(rowLine(row));
  return fromStored(schemaOfRow(value).parse(value) as StoredRow);
}

test("every row comes back as it was stored", () => {
  const logprob = fc.oneof(
    fc.double({ max: 0 }),
    fc.constantFrom(Number.NEGATIVE_INFINITY, Number.NaN, Number.POSITIVE_INFINITY),
  );
  const pass = fc.record({
    offset: fc.integer({ min: 0, max: 4 }),
    logprobs: fc.array(logprob, { minLength: 5, maxLength: 5 }),
    letterMass: logprob,
  });
  const decision = fc.tuple(pass, fc.array(pass, { maxLength: 4 })).map(([first, others]) => {
    return decisionRow("t", [first, ...others]);
  });
  const written = fc.string({ unit: "grapheme" }).map((text) => textRow("t", text));
  const failed = fc.string({ unit: "grapheme" }).map((message) => {
    return { id: "t", sample: 3, error: { code: "timeout", message } };
  });
  fc.assert(
    fc.property(fc.oneof(decision, written, failed), (row) => {
      // JSON knows no negative zero.
      const positive = JSON.parse(JSON.stringify(row), (_, value) => value) as unknown;
      expect(JSON.parse(JSON.stringify(roundTrip(row)))).toEqual(positive);
      expect(rowLine(roundTrip(row))).toBe(rowLine(row));
    }),
  );
});

test("D25: scores that are not finite are stored as markers with their count, never as null", () => {
  const row = letterRow("t", [-1, Number.NEGATIVE_INFINITY, Number.NaN, -2, -3]);
  const stored = JSON.parse(rowLine(row));
  expect(stored.logprobs).toEqual([-1, "-inf", "nan", -2, -3]);
  expect(stored.nonFinite).toBe(2);
  expect(stored.lenient).toEqual({ label: null, reason: "not_finite" });
  expect(roundTrip(row)).toEqual(row);
  expect(JSON.parse(rowLine(letterRow("t", [-1, -2, -3, -4, -5])))).not.toHaveProperty("nonFinite");
});

test("D19: lone surrogates are stored as U+FFFD and counted, also when stored again", () => {
  const row = textRow("t", "half \ud83d, whole \u{1f600}, half \ude00");
  const line = rowLine(row);
  expect(JSON.parse(line)).toMatchObject({
    text: "half \ufffd, whole \u{1f600}, half \ufffd",
    replaced: 2,
  });
  expect(rowLine(roundTrip(row))).toBe(line);
});

test("D07: a row is one line for every line splitter", () => {
  const line = rowLine(textRow("t", "a\u0085b\u2028c\u2029d\ne"));
  expect(line).not.toMatch(/[\u0085\u2028\u2029\n]/);
  expect(JSON.parse(line).text).toBe("a\u0085b\u2028c\u2029d\ne");
});

test("stores the fields that the format promises, in its order", () => {
  expect(Object.keys(JSON.parse(rowLine(textRow("t", "ASK"))))).toEqual([
    "id",
    "sample",
    "text",
    "finish",
    "tokens",
    "strict",
    "lenient",
  ]);
  const letters = JSON.parse(rowLine(letterRow("t", [-1, -2, -3, -4, -5], { rotations: 2 })));
  expect(Object.keys(letters)).toEqual([
    "id",
    "sample",
    "text",
    "finish",
    "tokens",
    "offset",
    "logprobs",
    "letterMass",
    "rotated",
    "strict",
    "lenient",
  ]);
  expect(letters).toMatchObject({ text: null, rotated: [{ logprobs: [-1, -2, -3, -4, -5] }] });
});

test("keeps `multiple` and the reason code, and leaves the rung out", () => {
  const twice = '{"intervention":"ASK","reason":"a"} or {"intervention":"ASK","reason":"b"}';
  expect(textRow("t", twice)).toMatchObject({
    strict: { label: null, reason: "not_one_object" },
    lenient: { label: "ASK", multiple: true },
  });
  const glued = '{"intervention":"ASK","reason":"a"}{"intervention":"WAIT","reason":"b"}';
  expect(textRow("t", glued).lenient).toEqual({
    label: null,
    reason: "conflicting",
    multiple: true,
  });
});
