import { type RandomStream, randomStream } from "../core/random.ts";

/** Four 32-bit words: the whole state of one resample's generator. */
type State = readonly [number, number, number, number];

const WORDS = 4;

/**
 * The generator states of resamples `from`, `from` + 1, … Each takes the next four words of the
 * seed's stream, so resample i has the same state wherever a range begins. Seeding the project's
 * generator anew for each of 10,000 resamples would cost more time than all their draws.
 */
export function* resampleStates(seed: number | string, from: number): Generator<State> {
  const random = randomStream(seed, "bootstrap");
  for (let skipped = 0; skipped < WORDS * from; skipped++) random();
  while (true) yield [word(random), word(random), word(random), word(random)];
}

function word(random: RandomStream): number {
  return Math.floor(random() * 2 ** 32) | 0;
}

/** Rounds until every bit of the state has reached every word. */
const WARM_UP = 12;

/**
 * Fills `drawn` with positions 0 to `drawn.length` - 1, each as likely, with replacement.
 * The generator is sfc32 (C. Doty-Humphrey, PractRand): a 32-bit counter and three mixed words.
 * It must not be alea: the words come from an alea stream, and an alea started from them would
 * repeat that stream.
 */
export function fillIndexes(drawn: Int32Array, [a0, b0, c0, d0]: State): void {
  // Without `| 0` the engine would keep the words as doubles and take several times as long.
  let a = a0 | 0;
  let b = b0 | 0;
  let c = c0 | 0;
  let counter = d0 | 0;
  const perWord = drawn.length / 2 ** 32;
  for (let k = -WARM_UP; k < drawn.length; k++) {
    const out = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + out) | 0;
    if (k >= 0) drawn[k] = Math.floor((out >>> 0) * perWord);
  }
}
