import type { Message } from "../../task/prompt.ts";
import type { ModelFailure } from "../model.ts";
import type { ChatTemplate } from "./chat-template.ts";
import { findLetterIds } from "./letter-ids.ts";
import type { TextTokenizer } from "./tokenizer.ts";

/** Fewer shared tokens than this are not worth a call of their own. */
const LEAST_SHARED = 32;

/** A chat as the model reads it. */
export interface EncodedChat {
  /** The rendered chat with the beginning of the assistant's turn. */
  readonly text: string;
  readonly ids: readonly number[];
}

/** Turns chats into token ids. */
export interface PromptEncoder {
  /**
   * @param begun what the assistant's turn begins with
   * @param room tokens that must be left for the answer
   * @returns a failure when prompt and room exceed the context limit; nothing is ever cut
   */
  encode(messages: readonly Message[], begun: string, room: number): EncodedChat | ModelFailure;
  /**
   * The ids of A to E behind a chat.
   *
   * @throws SteerError `mismatch` when the tokenizer does not tell the letters apart there
   */
  letterIds(chat: EncodedChat): readonly number[];
  /**
   * The tokens before the last user turn's own text, which all chats with the same other turns
   * begin with; empty when there are few.
   */
  sharedIds(messages: readonly Message[]): readonly number[];
}

export function makePromptEncoder(
  template: ChatTemplate,
  tokenizer: TextTokenizer,
  contextLength: number,
): PromptEncoder {
  const letters = new Map<string, readonly number[]>();
  const idsOf = (messages: readonly Message[]) => tokenizer.encode(template.render(messages));
  return {
    encode(messages, begun, room) {
      const text = template.render(messages) + begun;
      const ids = tokenizer.encode(text);
      if (ids.length > 0 && ids.length + room <= contextLength) return { text, ids };
      const message = `the prompt has ${ids.length} tokens, the model's limit is ${contextLength}`;
      return { error: { code: "context_length", message } };
    },
    letterIds({ text }) {
      // Behind the last special token nothing earlier matters, so one look serves equal endings.
      const section = tokenizer.lastSection(text);
      const ids = letters.get(section) ?? findLetterIds(tokenizer.encode, text);
      letters.set(section, ids);
      return ids;
    },
    sharedIds(messages) {
      const last = messages.findLastIndex(({ role }) => role === "user");
      const withText = (content: string) =>
        messages.map((message, i) => (i === last ? { ...message, content } : message));
      const one = idsOf(withText("1"));
      const other = idsOf(withText("x"));
      const length = one.findIndex((id, i) => id !== other[i]);
      return length < LEAST_SHARED ? [] : one.slice(0, length);
    },
  };
}
