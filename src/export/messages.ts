import type { Trace } from "../core/trace.ts";
import { offsetOf } from "../task/letters.ts";
import { buildPrompt, type Message, mergeSystemTurn, type Readout } from "../task/prompt.ts";

/** How the instructions are sent: as a system turn, or in front of the user turn's text. */
export const SYSTEM_MODES = ["turn", "merged"] as const;

/** See {@link SYSTEM_MODES}. */
export type SystemMode = (typeof SYSTEM_MODES)[number];

/**
 * The prompt of a trace, as the evaluation sends it. White space at its end stays: it is followed
 * by the end of a turn, never by the answer's text, so it cannot merge with an answer's tokens.
 */
export function promptFor(trace: Trace, readout: Readout, system: SystemMode): Message[] {
  const messages =
    readout === "generative"
      ? buildPrompt(trace, { readout })
      : buildPrompt(trace, { readout, offset: offsetOf(trace.id) });
  return system === "merged" ? mergeSystemTurn(messages) : messages;
}

/** An answer as the assistant's only turn. */
export function answerTurn(content: string): Message[] {
  return [{ role: "assistant", content }];
}
