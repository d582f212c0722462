import type { Trace } from "../core/trace.ts";
import { goldAnswer } from "../task/prompt.ts";
import type { Example, TraceFormat } from "./format-types.ts";
import { answerTurn, promptFor } from "./messages.ts";
import { fieldsOf, MESSAGES } from "./record-schema.ts";
import { trainerConfigs } from "./trainer-configs.ts";
import { chatFaults, goodAnswerFaults, labelOf, promptFaults, turns } from "./turn-rules.ts";

/** The answer that training data gives for a trace: its label and its rationale. */
export function goldOf({ label, rationale }: Trace): string {
  return goldAnswer(label, rationale);
}

function conversation({ trace, system }: Example) {
  return { messages: [...promptFor(trace, "generative", system), ...answerTurn(goldOf(trace))] };
}

const CONVERSATION = {
  of: "trace",
  schema: fieldsOf({ messages: MESSAGES }),
  toRecord: conversation,
  read: ({ messages }) => ({
    prompt: turns(messages).slice(0, -1),
    label: labelOf(turns(messages).slice(-1)),
  }),
  faults: ({ messages }) => chatFaults("messages", messages),
} as const satisfies Partial<TraceFormat>;

/** Supervised fine-tuning records: the generative prompt and the gold answer. */
export const SFT_FORMATS = {
  trl: {
    of: "trace",
    summary: "TRL SFTTrainer: prompt and completion as message lists, loss on the completion only",
    schema: fieldsOf({ prompt: MESSAGES, completion: MESSAGES }),
    toRecord: ({ trace, system }) => ({
      prompt: promptFor(trace, "generative", system),
      completion: answerTurn(goldOf(trace)),
    }),
    read: ({ prompt, completion }) => ({ prompt: turns(prompt), label: labelOf(completion) }),
    faults: ({ prompt, completion }) => [
      ...promptFaults("prompt", prompt),
      ...goodAnswerFaults("completion", completion),
    ],
  },
  messages: {
    ...CONVERSATION,
    summary: "message lists for Axolotl, LLaMA-Factory, verl and TRL, with ready configurations",
    configs: trainerConfigs,
  },
  openai: { ...CONVERSATION, summary: "OpenAI fine-tuning: message lists" },
  tinker: { ...CONVERSATION, summary: "Tinker cookbook: conversations as message lists" },
} as const satisfies Record<string, TraceFormat>;
