import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_LINE, type RawLine, splitLines } from "../../src/data/lines.ts";

async function* inPieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function linesOf(bytes: Buffer, cuts: readonly number[]): Promise<RawLine[]> {
  const lines: RawLine[] = [];
  for await (const batch of splitLines(inPieces(bytes, cuts))) lines.push(...batch);
  return lines;
}

const texts = fc
  .array(fc.constantFrom("a", "é", "😀", "\n", "\r\n", "\r", "\uFEFF", " ", "{}"), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));
const cuts = fc.array(fc.nat(200), { maxLength: 12 });

test("any cutting of the bytes gives the same lines, at offsets where they can be read again", async () => {
  await fc.assert(
    fc.asyncProperty(texts, cuts, async (text, at) => {
      const bytes = Buffer.from(text);
      const lines = await linesOf(bytes, at);
      expect(lines).toEqual(await linesOf(bytes, []));
      const wanted = text.replace(/^\uFEFF/, "").split("\n");
      if (wanted.at(-1) === "" && text !== "\uFEFF") wanted.pop();
      expect(lines.map((line) => line.bytes.toString())).toEqual(
        wanted.map((line) => line.replace(/\r$/, "")),
      );
      for (const [k, line] of lines.entries()) {
        expect(line.line).toBe(k + 1);
        const { offset, bytes: own } = line;
        expect(bytes.subarray(offset, offset + own.length)).toEqual(own);
        expect(line.isEnded).toBe(k < lines.length - 1 || text.endsWith("\n"));
      }
    }),
    { numRuns: 500 },
  );
});

test("a line above the limit is dropped as it comes in, and the lines around it stay", async () => {
  const block = Buffer.alloc(1 << 22, "x");
  const blocks = Math.ceil(MAX_LINE / block.length) + 1;
  async function* stream() {
    yield Buffer.from("first\n");
    for (let k = 0; k < blocks; k++) yield block;
    yield Buffer.from("\nlast\n");
  }
  const lines: RawLine[] = [];
  for await (const batch of splitLines(stream())) lines.push(...batch);
  expect(lines.map(({ bytes, isTooLong }) => [bytes.toString(), isTooLong])).toEqual([
    ["first", false],
    ["", true],
    ["last", false],
  ]);
  expect(lines[2]?.offset).toBe(6 + blocks * block.length + 1);
});
