/** Number formats of stored tensors that are read and written. */
export const NUMBER_FORMATS = ["F32", "F16", "BF16"] as const;

/** One of {@link NUMBER_FORMATS}. */
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

/** Bytes of one number. */
export function bytesPerNumber(format: NumberFormat): number {
  return format === "F32" ? 4 : 2;
}

/** Stored bytes as single precision; exact, since it holds every number of the other formats. */
export function decodeNumbers(bytes: Uint8Array, format: NumberFormat): Float32Array {
  const own = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const count = own.byteLength / bytesPerNumber(format);
  if (format === "F32") return new Float32Array(own.buffer, own.byteOffset, count);
  const halves = new Uint16Array(own.buffer, own.byteOffset, count);
  const words = new Uint32Array(count);
  if (format === "BF16") for (let i = 0; i < count; i++) words[i] = (halves[i] as number) << 16;
  else {
    const table = halfTable();
    for (let i = 0; i < count; i++) words[i] = table[halves[i] as number] as number;
  }
  return new Float32Array(words.buffer);
}

/** Single precision as stored bytes, rounded to the nearest number, to the even one of two. */
export function encodeNumbers(numbers: Float32Array, format: NumberFormat): Uint8Array {
  const { buffer, byteOffset, byteLength } = numbers;
  if (format === "F32") return new Uint8Array(buffer, byteOffset, byteLength);
  const words = new Uint32Array(buffer, byteOffset, numbers.length);
  const halves = new Uint16Array(numbers.length);
  const encode = format === "BF16" ? shortenToBfloat : shortenToHalf;
  for (let i = 0; i < halves.length; i++) halves[i] = encode(words[i] as number);
  return new Uint8Array(halves.buffer);
}

const SIGN = 0x8000;
const INFINITY_BITS = 0x7f800000;

/** bfloat16 is the upper half of a single-precision number. */
function shortenToBfloat(word: number): number {
  // Rounding could carry a NaN over to infinity.
  if ((word & 0x7fffffff) > INFINITY_BITS) return (word >>> 16) | 0x40;
  return (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
}

function shortenToHalf(word: number): number {
  const sign = (word >>> 16) & SIGN;
  const size = word & 0x7fffffff;
  if (size > INFINITY_BITS) return sign | 0x7e00 | ((size >>> 13) & 0x3ff);
  // The least number that rounds up to 2^16, one step beyond the largest half.
  if (size >= 0x477ff000) return sign | 0x7c00;
  if (size >= 0x38800000) return sign | roundShift(size - 0x38000000, 13);
  // Below 2^-14, halves are multiples of 2^-24.
  const exponent = size >>> 23;
  if (exponent < 102) return sign;
  return sign | roundShift((size & 0x7fffff) | 0x800000, 126 - exponent);
}

/** value / 2^bits, to the nearest whole number, to the even one of two. */
function roundShift(value: number, bits: number): number {
  const whole = value >>> bits;
  const rest = value - whole * 2 ** bits;
  const middle = 2 ** (bits - 1);
  return whole + (rest > middle || (rest === middle && whole % 2 === 1) ? 1 : 0);
}

let table: Uint32Array | undefined;

/** The single-precision bits of every half, made at the first use. */
function halfTable(): Uint32Array {
  table ??= Uint32Array.from({ length: 1 << 16 }, (_, bits) => widenHalf(bits));
  return table;
}

function widenHalf(bits: number): number {
  const sign = (bits & SIGN) << 16;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return (sign | INFINITY_BITS | (fraction << 13)) >>> 0;
  if (exponent > 0) return (sign | ((exponent + 112) << 23) | (fraction << 13)) >>> 0;
  const word = new Uint32Array(Float32Array.of(fraction * 2 ** -24).buffer)[0] as number;
  return (sign | word) >>> 0;
}
