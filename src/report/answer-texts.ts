/** No answer shows more bytes than this. */
const LONGEST = 4096;

/** All answers together show about this many bytes at most, so that a page stays under 5 MB. */
const TOGETHER = 2_400_000;

/** A cut below this would show too little to judge an answer by. */
const SHORTEST = 256;

/**
 * How many bytes each answer may show: 4 kB, and less when there are so many long answers that the
 * page would grow past what a browser likes to open.
 *
 * @param lengths bytes of every answer
 */
export function shownBytes(lengths: readonly number[]): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  let left = TOGETHER;
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at));
    // From here on answers are longer than an equal share of what is left.
    if (length > share) return Math.min(LONGEST, Math.max(SHORTEST, share));
    left -= length;
  }
  return LONGEST;
}
