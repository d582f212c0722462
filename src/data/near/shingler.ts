import type { Trace } from "../../core/trace.ts";

/** Words in one shingle. */
export const SHINGLE = 5;

/**
 * The text by which traces are compared: task, scope and text of each memory entry, observation;
 * NFC, lower case (without a locale). White space of any kind and length only separates words.
 */
export function comparedText({ task, memory, observation }: Trace): string {
  let text = task;
  for (const entry of memory) text += `\n${entry.scope}\n${entry.text}`;
  return `${text}\n${observation}`.normalize("NFC").toLowerCase();
}

/** The words of a {@link comparedText}, joined by single spaces: equal for equal texts. */
export function collapsed(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/**
 * Hashes the word 5-grams of texts, 64 bits each, in two lanes of 32 that use different hash
 * functions. Among the 230 million shingles of a million traces the chance of any collision is
 * below 1 in 600, and one collision moves one overlap count by one; equal texts are compared as
 * texts. One instance reads text after text into the same buffers.
 */
export class Shingler {
  /** The distinct shingles of the last text: lane by lane, `count` of them. */
  lo: Uint32Array = new Uint32Array(1024);
  hi: Uint32Array = new Uint32Array(1024);
  /** 0 for a text of fewer than five words: such texts can only be equal. */
  count = 0;
  /** Hash of the sequence of words. */
  textLo = 0;
  textHi = 0;

  /** Hash table of this text's shingles: entry number, valid where `stamps` holds the current stamp. */
  private slots = new Uint32Array(4096);
  private stamps = new Uint32Array(4096);
  private stamp = 0;

  /** Ring of the last five words' hashes. */
  private readonly ringLo = new Uint32Array(SHINGLE);
  private readonly ringHi = new Uint32Array(SHINGLE);
  private words = 0;
  private rollLo = 0;
  private rollHi = 0;

  read(text: string): void {
    this.begin(text.length);
    let a = SEED_LO;
    let b = SEED_HI;
    let isInWord = false;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (!isSpace(code)) {
        a = Math.imul(a ^ code, 0x01000193);
        b = Math.imul(b ^ code, 0xcc9e2d51);
        b = (b << 13) | (b >>> 19);
        isInWord = true;
      } else if (isInWord) {
        this.word(finish(a), finish(b));
        a = SEED_LO;
        b = SEED_HI;
        isInWord = false;
      }
    }
    if (isInWord) this.word(finish(a), finish(b));
  }

  private begin(length: number): void {
    this.count = 0;
    this.words = 0;
    this.textLo = 0;
    this.textHi = 0;
    this.rollLo = 0;
    this.rollHi = 0;
    this.ringLo.fill(0);
    this.ringHi.fill(0);
    this.stamp++;
    // A word and its separator take two characters at least.
    const most = length / 2 + 1;
    if (most * 2 > this.slots.length || this.stamp === 2 ** 32 - 1) this.grow(most);
  }

  private grow(most: number): void {
    const size = Math.max(this.slots.length, 2 ** Math.ceil(Math.log2(most * 2)));
    this.slots = new Uint32Array(size);
    this.stamps = new Uint32Array(size);
    this.stamp = 1;
    this.lo = new Uint32Array(size / 2);
    this.hi = new Uint32Array(size / 2);
  }

  private word(a: number, b: number): void {
    this.textLo = (Math.imul(this.textLo ^ a, 0x9e3779b1) + 0x7f4a7c15) | 0;
    this.textHi = (Math.imul((this.textHi << 7) | (this.textHi >>> 25), 0x85ebca6b) + b) | 0;
    const at = this.words++ % SHINGLE;
    // Polynomials over the last five words: the oldest leaves as the newest comes.
    this.rollLo =
      (Math.imul(this.rollLo - Math.imul(this.ringLo[at] as number, TOP_LO), BASE_LO) + a) | 0;
    this.rollHi =
      (Math.imul(this.rollHi - Math.imul(this.ringHi[at] as number, TOP_HI), BASE_HI) + b) | 0;
    this.ringLo[at] = a;
    this.ringHi[at] = b;
    if (this.words >= SHINGLE) this.add(this.rollLo >>> 0, this.rollHi >>> 0);
  }

  private add(lo: number, hi: number): void {
    const { slots, stamps, stamp } = this;
    const mask = slots.length - 1;
    for (let at = hi & mask; ; at = (at + 1) & mask) {
      if (stamps[at] !== stamp) {
        stamps[at] = stamp;
        slots[at] = this.count;
        this.lo[this.count] = lo;
        this.hi[this.count++] = hi;
        return;
      }
      const entry = slots[at] as number;
      if (this.lo[entry] === lo && this.hi[entry] === hi) return;
    }
  }
}

const SEED_LO = 0x811c9dc5 | 0;
const SEED_HI = 0x1b873593;
const BASE_LO = 0x2c1b3c6d;
const BASE_HI = 0x297a2d39;
const TOP_LO = power(BASE_LO, SHINGLE - 1);
const TOP_HI = power(BASE_HI, SHINGLE - 1);

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = Math.imul(product, base);
  return product;
}

/** Murmur3's finisher: every bit of the word depends on every character. */
function finish(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** What `\s` matches. */
function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 128 && isWideSpace(code);
}

function isWideSpace(code: number): boolean {
  return (code >= 0x2000 && code <= 0x200a) || WIDE_SPACES.has(code);
}

const WIDE_SPACES = new Set([0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);
