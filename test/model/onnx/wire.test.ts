import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesField, messageField, numberField } from "../../../src/graph/onnx/wire.ts";
import { accessBytes } from "../../../src/model/onnx/random-access.ts";
import { rawField, readFields, readText } from "../../../src/model/onnx/wire.ts";

const number = fc.integer({ min: 1, max: 2 ** 29 - 1 });
const field = fc.oneof(
  fc.record({ number, value: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }) }),
  fc.record({ number, text: fc.string({ unit: "binary" }) }),
);

test("what is written is read: numbers, values, texts and places", () => {
  fc.assert(
    fc.property(fc.array(field), (fields) => {
      const parts = fields.map((f) =>
        "text" in f ? bytesField(f.number, f.text) : numberField(f.number, f.value),
      );
      const bytes = Buffer.concat(parts);
      const source = accessBytes(bytes);
      const found = [...readFields(source, 0, bytes.length)];
      expect(found.map((f) => f.number)).toEqual(fields.map((f) => f.number));
      found.forEach((f, i) => {
        const wanted = fields[i];
        if (wanted && "text" in wanted) expect(readText(source, f)).toBe(wanted.text);
        else expect(f.value).toBe(wanted?.value);
        expect(Uint8Array.from(rawField(source, f))).toEqual(parts[i]);
      });
    }),
  );
});

test("messages hold messages", () => {
  const bytes = messageField(7, [numberField(1, 300), messageField(2, [bytesField(3, "in")])]);
  const source = accessBytes(bytes);
  const [outer] = readFields(source, 0, bytes.length);
  const [first, second] = readFields(source, outer?.from ?? 0, outer?.to ?? 0);
  expect([first?.value, second?.number]).toEqual([300, 2]);
});

test("negative numbers are read, though they take ten bytes", () => {
  const bytes = Uint8Array.of(0x18, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
  expect([...readFields(accessBytes(bytes), 0, bytes.length)][0]?.value).toBe(-2);
});

test.each([
  ["a text that is cut", Uint8Array.of(0x0a, 5, 65, 66), /field 1 at byte 0 needs bytes up to 7/],
  ["a number that is cut", Uint8Array.of(0x08, 0x80), /number at byte 1 does not end/],
  ["a number without an end", new Uint8Array(12).fill(0x80), /number at byte 0 does not end/],
  ["a kind that does not exist", Uint8Array.of(0x0b), /no field begins at byte 0/],
  ["the field number 0", Uint8Array.of(0x00, 1), /no field begins at byte 0/],
  ["a cut fixed number", Uint8Array.of(0x0d, 1, 2), /needs bytes up to 5/],
])("%s is an error that says where", (_, bytes, message) => {
  expect(() => [...readFields(accessBytes(bytes), 0, bytes.length)]).toThrow(message);
});
