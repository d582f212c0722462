import { decodeNumbers } from "../../graph/safetensors/number-formats.ts";
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
  const { buffer, byteOffset, byteLength } = values;
  return decodeNumbers(new Uint8Array(buffer, byteOffset, byteLength), "F16");
}
