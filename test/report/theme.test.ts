import { expect, test } from "vitest";
import { DARKEST } from "../../src/report/figures/confusion.ts";
import { type Colour, THEMES } from "../../src/report/theme.ts";
import { OUTCOMES } from "../../src/task/outcome.ts";

type Rgb = readonly [number, number, number];

/** Linear light, 0 to 1 (sRGB transfer function, IEC 61966-2-1). */
function linear(hex: string): Rgb {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as never;
}

/** Relative luminance and contrast ratio of WCAG 2. */
function luminance([r, g, b]: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [a, b].map((hex) => luminance(linear(hex))).sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** One colour laid over another, as browsers blend: on the coded values. */
function over(top: string, bottom: string, opacity: number): string {
  const mixed = [1, 3, 5].map((at) => {
    const [t = 0, b = 0] = [top, bottom].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    return Math.round(b + (t - b) * opacity)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${mixed.join("")}`;
}

const schemes = ["light", "dark"] as const;

test.each(schemes)("words stand out from paper and cards by 4.5:1, %s", (scheme) => {
  const theme = THEMES[scheme];
  for (const text of ["ink", "soft", "link"] as const) {
    for (const ground of ["paper", "card"] as const) {
      expect(contrast(theme[text], theme[ground]), `${text} on ${ground}`).toBeGreaterThan(4.5);
    }
  }
});

test.each(schemes)("marks of outcomes stand out from paper by 3:1, %s", (scheme) => {
  for (const outcome of OUTCOMES) {
    expect(contrast(THEMES[scheme][outcome], THEMES[scheme].paper), outcome).toBeGreaterThan(3);
  }
});

test.each(schemes)("the figures in the confusion matrix can be read, %s", (scheme) => {
  const { card, ink, ...theme } = THEMES[scheme];
  for (const outcome of OUTCOMES) {
    expect(contrast(ink, over(theme[outcome], card, DARKEST)), outcome).toBeGreaterThan(4.5);
  }
});

/**
 * Linear light as people with all cones see it, and as people without red or without green cones see it (Viénot, Brettel and Mollon 1999,
 * "Digital video colourmaps for checking the legibility of displays by dichromats").
 */
const EYES: Readonly<Record<string, (colour: Rgb) => Rgb>> = {
  all: (colour) => colour,
  protan: ([r, g, b]) => [
    0.1124 * r + 0.8876 * g,
    0.1124 * r + 0.8876 * g,
    0.004 * r - 0.004 * g + b,
  ],
  deutan: ([r, g, b]) => [
    0.2928 * r + 0.7072 * g,
    0.2928 * r + 0.7072 * g,
    -0.0223 * r + 0.0223 * g + b,
  ],
};

/** Distance of two colours in OKLab, where black and white are 1 apart (Ottosson 2020). */
function distance(a: Rgb, b: Rgb): number {
  const [p, q] = [a, b].map(([r, g, bl]) => {
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * bl);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * bl);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * bl);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  });
  return Math.hypot(...[0, 1, 2].map((at) => (p?.[at] ?? 0) - (q?.[at] ?? 0)));
}

test.each(schemes)(
  "any two outcomes differ clearly, without red or green cones, too, %s",
  (scheme) => {
    const close: string[] = [];
    for (const [kind, see] of Object.entries(EYES)) {
      for (const [at, a] of OUTCOMES.entries()) {
        for (const b of OUTCOMES.slice(at + 1)) {
          const seen = ([a, b] as Colour[]).map((name) => see(linear(THEMES[scheme][name])));
          const gap = distance(seen[0] as Rgb, seen[1] as Rgb);
          if (gap < 0.12) close.push(`${kind}: ${a} and ${b}: ${gap.toFixed(3)}`);
        }
      }
    }
    expect(close).toEqual([]);
  },
);
