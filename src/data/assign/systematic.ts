/** `count` of the places 0 to size - 1 at equal distances; `start`, below size, shifts them all. */
export function systematicSample(size: number, count: number, start: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor((i * size + start) / count));
}
