import { expect, test } from "vitest";
import {
  BOOL,
  DOUBLE,
  fieldsOf,
  INT,
  MESSAGES,
  normalise,
  type RecordSchema,
  STRING,
} from "../../src/export/record-schema.ts";

const SCHEMA: RecordSchema = [
  ...fieldsOf({ prompt: MESSAGES, gold: STRING, margin: DOUBLE, index: INT, label: BOOL }),
  { name: "note", type: STRING, nullable: true },
];

const ROW = {
  prompt: [{ role: "user", content: "u" }],
  gold: "ASK",
  margin: 1.5,
  index: 3,
  label: false,
  note: null,
};

function normaliseWith(changes: Readonly<Record<string, unknown>>) {
  return normalise(SCHEMA, { ...ROW, ...changes }, { replacedCharacters: 0 });
}

test("D01: null or nothing in a required column is refused before writing, naming the path", () => {
  expect(() => normaliseWith({ gold: null })).toThrow("gold: a value is required, not null");
  expect(() => normaliseWith({ gold: undefined })).toThrow("gold: a value is required");
  expect(() => normaliseWith({ prompt: [{ role: "user", content: null }] })).toThrow(
    "prompt[0].content: a value is required, not null",
  );
  expect(() => normaliseWith({ prompt: [null] })).toThrow("prompt[0]: must be an object");
});

test("D25: NaN and infinities are refused", () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(() => normaliseWith({ margin: value })).toThrow(`margin: must be a finite number`);
    expect(() => normaliseWith({ index: value })).toThrow("index: must be a whole number");
  }
});

test("a number is of the column's type in every row, never a text or a fraction", () => {
  expect(() => normaliseWith({ index: 1.5 })).toThrow("index: must be a whole number, not 1.5");
  expect(() => normaliseWith({ index: 2 ** 53 })).toThrow("index: must be a whole number");
  expect(() => normaliseWith({ margin: "1" })).toThrow("margin: must be a finite number, not 1");
  expect(() => normaliseWith({ label: 0 })).toThrow("label: must be true or false, not 0");
  expect(() => normaliseWith({ gold: ["ASK"] })).toThrow("gold: must be a string");
  expect(() => normaliseWith({ prompt: "u" })).toThrow("prompt: must be a list, not u");
});

test("D03: keys come in the schema's order and no other key passes", () => {
  const { prompt, ...rest } = ROW;
  const shuffled = normalise(SCHEMA, { ...rest, prompt }, { replacedCharacters: 0 });
  expect(Object.keys(shuffled)).toEqual(SCHEMA.map(({ name }) => name));
  expect(() => normaliseWith({ outcome: "correct" })).toThrow("outcome: unknown key");
  expect(() => normaliseWith({ prompt: [{ role: "user", content: "u", name: "x" }] })).toThrow(
    "prompt[0].name: unknown key",
  );
});

test("D19: halves of surrogate pairs are replaced and counted, whole pairs are not touched", () => {
  const counts = { replacedCharacters: 0 };
  const row = { ...ROW, gold: "\ud83d 😀 \ude00\ud83d", note: "\ud83dx" };
  const result = normalise(SCHEMA, row, counts);
  expect(result["gold"]).toBe("\ufffd 😀 \ufffd\ufffd");
  expect(result["note"]).toBe("\ufffdx");
  expect(counts.replacedCharacters).toBe(4);
});
