import type { FloatType } from "./decoder-layout.ts";

/** Numbers as the runtime hands them over; float16 as bits where the engine has no Float16Array. */
export type FloatArray = Float32Array | Uint16Array;

const Float16 = (globalThis as { Float16Array?: typeof Uint16Array }).Float16Array ?? Uint16Array;

/** Room for so many numbers, all zero. */
export function makeFloats(type: FloatType, length: number): FloatArray {
  return type === "float32" ? new Float32Array(length) : new Float16(length);
}

/** The numbers as float32; half-precision bits are decoded. */
export function toFloat32(values: FloatArray): Float32Array {
  if (values instanceof Float32Array) return values;
  if (!(values instanceof Uint16Array)) return Float32Array.from(values as Iterable<number>);
  return Float32Array.from(values, decodeHalf);
}

/** The number that 16 bits stand for in IEEE 754 half precision. */
export function decodeHalf(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
