import { goldAnswer, type Label } from "../../src/index.ts";
import type { Deck, PlayTrace } from "./deck.ts";
import { inSeedOrder, type Link } from "./link.ts";
import type { Played } from "./totals.ts";

/** One play-through: the traces that an address names, and what was answered so far. */
export interface Game {
  readonly link: Link;
  readonly traces: readonly PlayTrace[];
  readonly played: readonly Played[];
  /** Which trace is on show, from 0. */
  readonly at: number;
}

/** The beginning of a play-through. */
export function newGame({ parts }: Deck, link: Link): Game {
  return { link, traces: inSeedOrder(parts[link.part], link.seed), played: [], at: 0 };
}

/** The answer to the trace on show; null before it is given. */
export function answered({ played, at }: Game): Played | null {
  return played[at] ?? null;
}

/** Answers the trace on show as training data would. A second answer to it changes nothing. */
export function decide(game: Game, label: Label): Game {
  const trace = game.traces[game.at];
  if (trace === undefined || answered(game)) return game;
  const answer = goldAnswer(label, "Chosen by a person.");
  return { ...game, played: [...game.played, { trace, answer }] };
}

/** Goes on to the next trace, when there is one and this one is answered. */
export function goOn(game: Game): Game {
  return !answered(game) || isLast(game) ? game : { ...game, at: game.at + 1 };
}

/** The same traces in the same order, with nothing answered. */
export function playAgain(game: Game): Game {
  return { ...game, played: [], at: 0 };
}

/** Whether every trace is answered. */
export function isOver({ traces, played }: Game): boolean {
  return traces.length > 0 && played.length === traces.length;
}

/** Whether no trace follows the one on show. */
export function isLast({ traces, at }: Game): boolean {
  return at === traces.length - 1;
}
