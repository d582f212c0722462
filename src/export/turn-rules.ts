import type { Label } from "../core/intervention.ts";
import { parse } from "../task/parse/parse.ts";
import type { Message } from "../task/prompt.ts";

/** What a trainer would stumble over in a prompt: roles out of order, a blank turn. */
export function promptFaults(path: string, value: unknown): string[] {
  const messages = turns(value);
  const roles = messages.map((message) => message.role).join(", ");
  const faults = blankTurns(path, messages);
  if (roles !== "system, user" && roles !== "user") {
    faults.push(`${path}: turns must be system, user or only user, not ${roles || "none"}`);
  }
  return faults;
}

/** As {@link promptFaults}, for an answer: one turn, of the assistant. */
export function answerFaults(path: string, value: unknown): string[] {
  const messages = turns(value);
  const faults = blankTurns(path, messages);
  if (messages.length !== 1 || messages[0]?.role !== "assistant") {
    faults.push(`${path}: must be one turn of the assistant`);
  }
  return faults;
}

/** As {@link answerFaults}, for an answer that a model is to learn: the strict parse must read it. */
export function goodAnswerFaults(path: string, value: unknown): string[] {
  const faults = answerFaults(path, value);
  if (faults.length > 0) return faults;
  const { strict } = parse(textOf(value));
  return strict.label === null ? [`${path}: not a strict answer (${strict.reason})`] : [];
}

/** A whole conversation: a prompt and one good answer. */
export function chatFaults(path: string, value: unknown): string[] {
  const messages = turns(value);
  return [
    ...promptFaults(path, messages.slice(0, -1)),
    ...goodAnswerFaults(path, messages.slice(-1)),
  ];
}

/** Two answers that are alike teach nothing, and a preference loss stays where it began. */
export function pairFaults(chosen: unknown, rejected: unknown): string[] {
  return isDistinct(textOf(chosen), textOf(rejected))
    ? []
    : ["chosen and rejected answers are the same"];
}

/** Whether two answers differ in more than the white space around them. */
export function isDistinct(chosen: string, rejected: string): boolean {
  return chosen.trim() !== rejected.trim();
}

/** A value that the schema has found to be a list of turns. */
export function turns(value: unknown): readonly Message[] {
  return value as readonly Message[];
}

/** The label that the strict parse reads in an answer. */
export function labelOf(value: unknown): Label | null {
  return parse(textOf(value)).strict.label;
}

function textOf(value: unknown): string {
  return turns(value)[0]?.content ?? "";
}

function blankTurns(path: string, messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }, i) =>
    content.trim() === "" ? [`${path}[${i}]: blank turn`] : [],
  );
}
