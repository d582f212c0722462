import type { Outcome } from "../task/outcome.ts";

/** Names of the report's colours. */
export const COLOURS = [
  "paper",
  "card",
  "ink",
  "soft",
  "line",
  "link",
  "correct",
  "premature_act",
  "missed_act",
  "wrong",
  "unreadable",
  "cut_off",
] as const;

/** See {@link COLOURS}. */
export type Colour = (typeof COLOURS)[number];

/**
 * The palette by day and by night. Outcomes keep the hues of Okabe and Ito (blue, vermilion, yellow,
 * purple; grey and black for answers that say nothing), at lightnesses chosen so that any two differ
 * without red or green cones, too, and all stand out from the paper by 3:1. No meaning rests on a
 * colour alone.
 */
export const THEMES: Readonly<Record<"light" | "dark", Readonly<Record<Colour, string>>>> = {
  light: {
    paper: "#ffffff",
    card: "#f5f6f8",
    ink: "#1b1f24",
    soft: "#545d68",
    line: "#cfd5dc",
    link: "#0a58a8",
    correct: "#2f7de1",
    premature_act: "#a33000",
    missed_act: "#ab8f10",
    wrong: "#7a1683",
    unreadable: "#74777a",
    cut_off: "#1c1f23",
  },
  dark: {
    paper: "#14171a",
    card: "#1d2125",
    ink: "#e7e9ec",
    soft: "#a9b1ba",
    line: "#3b424a",
    link: "#8abfff",
    correct: "#2f86d6",
    premature_act: "#f57b20",
    missed_act: "#fad643",
    wrong: "#d9addc",
    unreadable: "#6e7074",
    cut_off: "#e6e9ec",
  },
};

/** A colour as pages and drawings name it. */
export function paint(colour: Colour): string {
  return `var(--${colour})`;
}

/** A rim in the colour of the paper, so that a text can be read across lines. */
export function halo(): { readonly stroke: string; readonly strokeWidth: number } {
  return { stroke: paint("paper"), strokeWidth: 4 };
}

/** How people call an outcome. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  correct: "correct",
  premature_act: "premature ACT",
  missed_act: "missed ACT",
  wrong: "otherwise wrong",
  unreadable: "unreadable",
  cut_off: "cut off",
};
