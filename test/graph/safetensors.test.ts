import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { SteerError } from "../../src/core/errors.ts";
import {
  decodeNumbers,
  encodeNumbers,
  NUMBER_FORMATS,
  type NumberFormat,
} from "../../src/graph/safetensors/number-formats.ts";
import { openModelWeights, openWeightFile } from "../../src/graph/safetensors/weight-file.ts";
import { safetensorsPieces, type TensorToWrite } from "../../src/graph/safetensors/write.ts";
import { countOf } from "../../src/graph/shape.ts";
import { temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

const OFFICIAL = repositoryPath("test/fixtures/graph/qwen2-lora/model.safetensors");

function openForTest(path: string) {
  const file = openWeightFile(path);
  onTestFinished(() => file.close());
  return file;
}

/** Writes bytes to a file of its own; its path. */
function save(pieces: Iterable<Uint8Array>): string {
  const path = join(temporaryFolder(), "model.safetensors");
  writeFileSync(path, Buffer.concat([...pieces]));
  return path;
}

/** A file with this header in front of so many zero bytes. */
function withHeader(header: unknown, dataBytes: number): string {
  const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(text.length));
  return save([prefix, text, new Uint8Array(dataBytes)]);
}

const bitsOf = (numbers: Float32Array) => [...new Uint32Array(numbers.slice().buffer)];

function tensor(format: NumberFormat, shape: number[], numbers: Float32Array): TensorToWrite {
  return { format, shape, numbers: () => numbers };
}

test.each(["F16", "BF16"] as const)("every number of %s comes back as the same bits", (format) => {
  const all = Uint16Array.from({ length: 1 << 16 }, (_, bits) => bits);
  const numbers = decodeNumbers(new Uint8Array(all.buffer), format);
  const back = new Uint16Array(encodeNumbers(numbers, format).buffer);
  // A NaN may gain the bit that makes it quiet; nothing else may change.
  const isNaNBits = (i: number) => Number.isNaN(numbers[i]);
  const changed = [...all].filter((bits) => back[bits] !== bits && !isNaNBits(bits));
  expect(changed).toEqual([]);
  const reread = decodeNumbers(new Uint8Array(back.buffer), format);
  expect([...all].filter((i) => Number.isNaN(reread[i]) !== isNaNBits(i))).toEqual([]);
});

test.each([
  [
    "F16",
    [1, -2, 65504, 65519.9, 65520, 2 ** -24, 2 ** -25, 3 * 2 ** -25, 0.1],
    [0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7c00, 1, 0, 2, 0x2e66],
  ],
  [
    "BF16",
    [1, -2, 1 + 2 ** -8, 1 + 3 * 2 ** -8, 3.4e38, 0.1],
    [0x3f80, 0xc000, 0x3f80, 0x3f82, 0x7f80, 0x3dcd],
  ],
] as const)("%s rounds to the nearest number, and to the even one of two", (...one) => {
  const [format, numbers, bits] = one;
  const encoded = encodeNumbers(Float32Array.from(numbers), format);
  expect([...new Uint16Array(encoded.buffer)]).toEqual(bits);
});

const anyTensor = fc
  .record({
    format: fc.constantFrom(...NUMBER_FORMATS),
    shape: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    seed: fc.integer({ min: 0, max: 1 << 30 }),
  })
  .map(({ format, shape, seed }) => {
    const numbers = Float32Array.from({ length: countOf(shape) }, (_, i) =>
      Math.fround(Math.sin(seed + i) * 2 ** ((seed + i) % 12)),
    );
    return tensor(format, shape, decodeNumbers(encodeNumbers(numbers, format), format));
  });

test("whatever is written is read again: names, shapes, formats, numbers and texts", () => {
  const names = fc.string({ unit: "binary", minLength: 1 }).filter((name) => {
    return name !== "__metadata__" && name !== "__proto__" && name.isWellFormed();
  });
  const path = join(temporaryFolder(), "any.safetensors");
  fc.assert(
    fc.property(fc.dictionary(names, anyTensor), fc.string({ unit: "binary" }), (tensors, text) => {
      fc.pre(text.isWellFormed());
      const entries = Object.entries(tensors);
      const pieces = [...safetensorsPieces(new Map(entries), { format: "pt", text })];
      const reversed = [...safetensorsPieces(new Map(entries.reverse()), { format: "pt", text })];
      expect(Buffer.concat(reversed)).toEqual(Buffer.concat(pieces));
      writeFileSync(path, Buffer.concat(pieces));
      const file = openWeightFile(path);
      expect(file.metadata).toEqual({ format: "pt", text });
      expect([...file.tensors.keys()].sort()).toEqual(Object.keys(tensors).sort());
      for (const [name, { format, shape, numbers }] of entries) {
        expect(file.tensors.get(name)).toMatchObject({ format, shape });
        expect(bitsOf(file.read(name))).toEqual(bitsOf(numbers()));
      }
      file.close();
    }),
    { numRuns: 60 },
  );
});

test("a file of the reference writer is read, and written again byte for byte", () => {
  const file = openForTest(OFFICIAL);
  const copy = [...file.tensors].map(([name, { format, shape }]) => {
    return [name, { format, shape, numbers: () => file.read(name) }] as const;
  });
  const written = Buffer.concat([...safetensorsPieces(new Map(copy), file.metadata)]);
  expect(written.equals(readFileSync(OFFICIAL))).toBe(true);
});

test("a file cut short anywhere is refused, naming the file", () => {
  const whole = readFileSync(OFFICIAL);
  const path = join(temporaryFolder(), "cut.safetensors");
  for (const size of [0, 7, 8, 100, 4000, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, size));
    expect(() => openWeightFile(path), `${size} bytes`).toThrow(
      expect.objectContaining({ code: "unreadable", message: expect.stringContaining(path) }),
    );
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.from("x")]));
  expect(() => openWeightFile(path)).toThrow("has bytes behind its tensors");
});

test.each([
  ["a header that is no JSON", () => withHeader("{no", 0), "its header is no JSON object"],
  ["a header that is a list", () => withHeader([], 0), "its header is no JSON object"],
  ["a git-lfs pointer", () => save([Buffer.from("version https://git-lfs")]), "git lfs pull"],
  [
    "a format that is not read",
    () => withHeader({ w: { dtype: "F8_E4M3", shape: [1], data_offsets: [0, 1] } }, 1),
    'w: is stored as "F8_E4M3", and only F32, F16, BF16 can be read; convert the model',
  ],
  [
    "a length that does not fit the shape",
    () => withHeader({ w: { dtype: "F16", shape: [2, 3], data_offsets: [0, 10] } }, 10),
    "w: of shape 2x3 needs 12 bytes, and its offsets give it 10",
  ],
  [
    "a shape that is none",
    () => withHeader({ w: { dtype: "F32", shape: [-1], data_offsets: [0, 4] } }, 4),
    "w: has no shape and data_offsets made of whole numbers",
  ],
  [
    "tensors that overlap",
    () =>
      withHeader(
        {
          a: { dtype: "F32", shape: [2], data_offsets: [0, 8] },
          b: { dtype: "F32", shape: [1], data_offsets: [4, 8] },
        },
        8,
      ),
    "b begins at byte",
  ],
])("%s is refused with the place and the fix", (_, make, message) => {
  const path = make();
  expect(() => openWeightFile(path)).toThrow(message);
  expect(() => openWeightFile(path)).toThrow(path);
});

test("every broken entry of a header is listed at once", () => {
  const broken = { dtype: "I64", shape: [1], data_offsets: [0, 8] };
  try {
    openWeightFile(withHeader({ a: broken, b: broken }, 8));
    expect.unreachable();
  } catch (error) {
    expect((error as SteerError).faults.map(({ path }) => path)).toEqual(["a", "b"]);
  }
});

test("weights in several files are refused with what to do; so is a folder without any", () => {
  const folder = temporaryFolder();
  expect(() => openModelWeights(folder)).toThrow("model.safetensors: is missing");
  writeFileSync(join(folder, "model.safetensors.index.json"), "{}");
  expect(() => openModelWeights(folder)).toThrow(
    /model\.safetensors\.index\.json: weights in several files are not read; save the model as one/,
  );
  mkdirSync(join(folder, "inner"));
  expect(() => openWeightFile(join(folder, "none"))).toThrow(SteerError);
});
