import { sha256Hex } from "../../../src/core/hash.ts";
import { type Handler, reply, type Seen, send, startServer, topReply } from "./server.ts";

interface Message {
  readonly role: string;
  readonly content: string;
}

/** How a server treats an assistant message that stands last. */
export type LastTurn =
  | "continues"
  | "continues when asked"
  | "closes"
  | "drops"
  | "refuses"
  | "crashes";

/** Tokens around a turn: its start mark, role and line end; its end mark and line end. */
const OPEN_TOKENS = 3;
const CLOSE_TOKENS = 2;

/** Runs of letters, of white space, single digits and marks: as the tokenizers in use split. */
function countText(text: string): number {
  return text.match(/\p{L}+|\s+|./gu)?.length ?? 0;
}

/** Prompt tokens under a chat template; null when the server refuses the messages. */
function countPrompt(messages: readonly Message[], continues: boolean): number {
  const turns = messages.map(({ content }) => OPEN_TOKENS + countText(content) + CLOSE_TOKENS);
  const sum = turns.reduce((a, b) => a + b, 0);
  return continues ? sum - CLOSE_TOKENS : sum + OPEN_TOKENS;
}

/**
 * A server whose answers are decided by the prompt and the seed alone, as a real model's are, and
 * that ignores `n`.
 */
export function startChatServer(lastTurn: LastTurn = "continues") {
  return startServer(chatHandler(lastTurn));
}

function chatHandler(lastTurn: LastTurn): Handler {
  return (response, { body }) => {
    const messages = body.messages as Message[];
    const isBegun = messages.at(-1)?.role === "assistant";
    if (isBegun && lastTurn === "refuses") {
      return send(response, { error: { message: "last message must be from the user" } }, 400);
    }
    if (isBegun && lastTurn === "crashes") return send(response, "template error", 500);
    const heard = isBegun && lastTurn === "drops" ? messages.slice(0, -1) : messages;
    const continues = isBegun && continuesTurn(lastTurn, body);
    const usage = { prompt_tokens: countPrompt(heard, continues) };
    const hash = sha256Hex(JSON.stringify([messages, body.seed ?? null]));
    if (!body.logprobs) return send(response, reply(`Answer ${hash.slice(0, 8)}`, {}, usage));
    const weights = [...hash.slice(0, 5)].map((digit) => 1 + Number.parseInt(digit, 16));
    const total = weights.reduce((a, b) => a + b, 20);
    const top = weights.map((weight, k) => ["ABCDE".charAt(k), weight / total] as const);
    send(response, { ...topReply(top), usage });
  };
}

function continuesTurn(lastTurn: LastTurn, body: Seen["body"]): boolean {
  if (lastTurn === "continues") return true;
  return lastTurn === "continues when asked" && body.continue_final_message === true;
}
