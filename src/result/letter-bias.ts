import type { Label } from "../core/intervention.ts";
import { pick } from "../stats/logprobs.ts";
import { LETTERS, type Letter } from "../task/letters.ts";
import { type LetterPass, letterIndex } from "./decision.ts";
import { type Rate, rate } from "./rate.ts";

/** How often each letter has the highest score, and how often it stands for the gold label. */
export interface LetterBias {
  readonly letters: Readonly<Record<Letter, { readonly picked: Rate; readonly gold: Rate }>>;
  /** Farthest that a letter's share of picks lies from 1/5; null without picks. */
  readonly farthest: number | null;
}

/** Each pass counts for itself: averaging over rotations hides a bias from the picks, not from here. */
export function letterBias(
  answers: readonly { readonly gold: Label; readonly passes: readonly LetterPass[] }[],
): LetterBias {
  const passes = answers.flatMap((answer) =>
    answer.passes.map(({ offset, logprobs }) => ({
      gold: letterIndex(answer.gold, offset),
      picked: pick(logprobs).pick,
    })),
  );
  const picks = passes.filter(({ picked }) => picked !== null);
  const letters = LETTERS.map((letter, k) => {
    const picked = rate(picks.filter((pass) => pass.picked === k).length, picks.length);
    const gold = rate(passes.filter((pass) => pass.gold === k).length, passes.length);
    return [letter, { picked, gold }] as const;
  });
  const shares = letters.map(([, { picked }]) =>
    Math.abs((picked.value ?? 0) - 1 / LETTERS.length),
  );
  return {
    letters: Object.fromEntries(letters) as LetterBias["letters"],
    farthest: picks.length === 0 ? null : Math.max(...shares),
  };
}
