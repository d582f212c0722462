import { digest, sha256Hex } from "../core/hash.ts";
import { DEFINITIONS, LABELS, type Label } from "../core/intervention.ts";
import type { Trace } from "../core/trace.ts";
import { LETTERS, lettersAt } from "./letters.ts";

/** Version of the prompt texts: it changes when any prompt could. */
export const PROMPT_VERSION = "1";

/** How a model's decision is read: as written text, or from the probabilities of five letters. */
export type Readout = "generative" | "decision";

/** One turn of a chat. */
export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What a model is shown; nothing in it tells the label. */
export type Situation = Pick<Trace, "task" | "memory" | "observation">;

/**
 * The beginning of the assistant's turn in the decision readout; the letter follows directly. A
 * bare letter could also begin a sentence ("A reasonable …"), this prefix could not.
 */
export const DECISION_PREFIX = "choice#";

/** The situation of a trace as text, identical for every arm and readout. */
export function renderSituation({ task, memory, observation }: Situation): string {
  const entries = memory.map(({ scope, text, saved }) =>
    saved === undefined ? `- [${scope}] ${text}` : `- [${scope}, saved ${saved}] ${text}`,
  );
  return [
    `Task:\n${task}`,
    `Memory:\n${entries.length > 0 ? entries.join("\n") : "(empty)"}`,
    `Observation:\n${observation}`,
  ].join("\n\n");
}

/** sha256 of the situation text: equal hashes make runs comparable. */
export function situationHash(situation: Situation): string {
  return sha256Hex(renderSituation(situation));
}

const INTRODUCTION = `You are the steering policy of an agent that works on its own. You see its task, its memory and the latest observation, and choose the one intervention that is right now:
${LABELS.map((label) => `- ${label}: ${DEFINITIONS[label]}`).join("\n")}`;

const ANSWER_FORMATS: Readonly<Record<Readout, string>> = {
  generative: `Answer with one JSON object and nothing else:
{"intervention": "<${LABELS.join("|")}>", "reason": "<one sentence naming the deciding fact>"}`,
  decision: `The options follow the situation as ${LETTERS[0]} to ${LETTERS.at(-1)}. Answer with ${DECISION_PREFIX} and one letter, nothing else.`,
};

/** The part that is the same for all traces of a readout and comes first, so that its keys and values are computed once. */
export function renderInstructions(readout: Readout): string {
  return `${INTRODUCTION}\n\n${ANSWER_FORMATS[readout]}`;
}

/** The lettered choices under an offset from 0 to 4. */
export function renderChoices(offset: number): string {
  const labels = lettersAt(offset);
  return `Options:\n${LETTERS.map((letter, k) => `${letter}) ${labels[k]}`).join("\n")}`;
}

/**
 * The messages that ask for a decision. Every arm, exporter and environment uses these.
 *
 * @param readout `decision` also needs the letter offset, 0 to 4, and puts the choices last
 */
export function buildPrompt(
  situation: Situation,
  readout: { readonly readout: "generative" } | { readonly readout: "decision"; offset: number },
): Message[] {
  const text = renderSituation(situation);
  const content =
    readout.readout === "generative" ? text : `${text}\n\n${renderChoices(readout.offset)}`;
  return [
    { role: "system", content: renderInstructions(readout.readout) },
    { role: "user", content },
  ];
}

/** The same prompt for models without a system turn: its text opens the user turn. */
export function mergeSystemTurn(messages: readonly Message[]): Message[] {
  const [system, user, ...rest] = messages;
  if (system?.role !== "system" || user?.role !== "user") return [...messages];
  return [{ role: "user", content: `${system.content}\n\n${user.content}` }, ...rest];
}

/** The prompt as one text, for endpoints and models without chat turns. */
export function promptText(messages: readonly Message[]): string {
  return messages.map((message) => message.content).join("\n\n");
}

/** The answer that training data gives: keys in this order, one space after each colon and comma. */
export function goldAnswer(label: Label, reason: string): string {
  return `{"intervention": ${JSON.stringify(label)}, "reason": ${JSON.stringify(reason)}}`;
}

/** Hash of everything in a readout's prompt that is not the situation. */
export function templateHash(readout: Readout): string {
  const empty = { task: "", memory: [], observation: "" };
  const messages = buildPrompt(empty, { readout: "generative" });
  return digest({
    version: PROMPT_VERSION,
    readout,
    instructions: renderInstructions(readout),
    frame: messages.map((message) => message.role),
    situation: renderSituation(empty),
    choices: readout === "decision" ? [0, 1, 2, 3, 4].map(renderChoices) : [],
    prefix: readout === "decision" ? DECISION_PREFIX : "",
  });
}
