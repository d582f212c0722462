import { expect, test } from "vitest";
import {
  emptyCache,
  fillGaps,
  type KeyValueCache,
  selectRows,
  stackCaches,
  tokensIn,
  widenGaps,
} from "../../../src/model/onnx/cache.ts";
import { layOutTokens } from "../../../src/model/onnx/decoder-inputs.ts";
import type { DecoderLayout } from "../../../src/model/onnx/decoder-layout.ts";
import { toFloat32 } from "../../../src/model/onnx/floats.ts";

const LAYOUT: DecoderLayout = {
  slots: [{ past: "p", present: "q", heads: 2, headSize: 1, added: "r" }],
  cacheType: "float32",
  logitsType: "float32",
  hasAttentionMask: true,
  hasPositionIds: true,
  hasLogitsToKeep: false,
  attention: "plain",
  vocabulary: null,
};

/** One row whose two heads hold `first`, `first` + 1, … and the same negated. */
function oneRow(length: number, first: number): KeyValueCache {
  const values = Array.from({ length }, (_, i) => first + i);
  const slots = [Float32Array.from([...values, ...values.map((value) => -value)])];
  return { rows: 1, length, gaps: [{ from: 0, to: 0 }], slots };
}

const show = (cache: KeyValueCache) => cache.slots.map((slot) => [...slot]);

test("caches of several lengths are stacked, shorter ones ending in a gap", () => {
  const stacked = stackCaches(LAYOUT, [oneRow(3, 1), oneRow(1, 9)]);
  expect(show(stacked)).toEqual([[1, 2, 3, -1, -2, -3, 9, 0, 0, -9, 0, 0]]);
  expect([tokensIn(stacked, 0), tokensIn(stacked, 1)]).toEqual([3, 1]);
});

test("rows can be taken out in any order", () => {
  const stacked = stackCaches(LAYOUT, [oneRow(2, 1), oneRow(1, 9)]);
  const chosen = selectRows(LAYOUT, stacked, [1]);
  expect(show(chosen)).toEqual([[9, 0, -9, 0]]);
  expect([chosen.rows, chosen.length, tokensIn(chosen, 0)]).toEqual([1, 2, 1]);
});

test("a row's gap takes further tokens and can be widened", () => {
  const stacked = stackCaches(LAYOUT, [oneRow(2, 1), oneRow(1, 9)], 1);
  expect(show(stacked)).toEqual([[1, 2, 0, -1, -2, 0, 9, 0, 0, -9, 0, 0]]);
  const filled = fillGaps(LAYOUT, stacked, [Float32Array.of(3, -3, 10, -10)]);
  expect(show(filled)).toEqual([[1, 2, 3, -1, -2, -3, 9, 10, 0, -9, -10, 0]]);
  expect([tokensIn(filled, 0), tokensIn(filled, 1)]).toEqual([3, 2]);
  const wide = widenGaps(LAYOUT, filled, 1);
  expect(show(wide)).toEqual([[1, 2, 3, 0, -1, -2, -3, 0, 9, 10, 0, 0, -9, -10, 0, 0]]);
  expect([tokensIn(wide, 0), tokensIn(wide, 1), wide.length]).toEqual([3, 2, 4]);
});

test("B25: token ids go in as 64-bit numbers, whatever list they come from", () => {
  const ids = Array.from(Int32Array.of(65, 66));
  const tokens = layOutTokens([ids], emptyCache(LAYOUT, 1), "plain");
  expect(tokens.ids).toEqual(BigInt64Array.of(65n, 66n));
  expect(tokens.positions).toEqual(BigInt64Array.of(0n, 1n));
});

test("B11: rows are filled up on the right, and neither filler nor gaps are attended", () => {
  const cache = stackCaches(LAYOUT, [oneRow(3, 1), oneRow(1, 9)]);
  const plain = layOutTokens([[7], [8, 6]], cache, "plain");
  expect([...plain.ids]).toEqual([7n, 0n, 8n, 6n]);
  expect([...plain.positions]).toEqual([3n, 3n, 1n, 2n]);
  expect([...plain.mask]).toEqual([1, 1, 1, 1, 0, 1, 0, 0, 1, 1].map(BigInt));
});

test("under grouped attention, which counts places, each row's ones stand on the left", () => {
  const cache = stackCaches(LAYOUT, [oneRow(3, 1), oneRow(1, 9)]);
  const grouped = layOutTokens([[7], [8]], cache, "grouped");
  expect([...grouped.mask]).toEqual([1, 1, 1, 1, 1, 1, 0, 0].map(BigInt));
  expect([...grouped.positions]).toEqual([3n, 1n]);
});

test("half precision is decoded: normal, subnormal, infinite and not a number", () => {
  const cases: [bits: number, value: number][] = [
    [0x0000, 0],
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x7bff, 65504],
    [0x0001, 2 ** -24],
    [0x83ff, -1023 * 2 ** -24],
    [0x0400, 2 ** -14],
    [0x7c00, Number.POSITIVE_INFINITY],
    [0xfc00, Number.NEGATIVE_INFINITY],
    [0x7e00, Number.NaN],
  ];
  for (const [bits, value] of cases) expect([...toFloat32(Uint16Array.of(bits))]).toEqual([value]);
  expect([...toFloat32(Uint16Array.of(0, 0x3c00, 0xc000).subarray(1))]).toEqual([1, -2]);
  expect(Object.is(toFloat32(Uint16Array.of(0x8000))[0], -0)).toBe(true);
});
