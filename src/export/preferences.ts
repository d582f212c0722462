import type { PairExample, PairFormat } from "./format-types.ts";
import { answerTurn, promptFor } from "./messages.ts";
import { BOOL, DOUBLE, fieldsOf, MESSAGES, STRING, struct } from "./record-schema.ts";
import {
  answerFaults,
  goodAnswerFaults,
  labelOf,
  pairFaults,
  promptFaults,
  turns,
} from "./turn-rules.ts";

function prompt({ trace, system }: PairExample) {
  return promptFor(trace, "generative", system);
}

function allFaults(names: readonly [string, string], chosen: unknown, rejected: unknown): string[] {
  const faults = [...goodAnswerFaults(names[0], chosen), ...answerFaults(names[1], rejected)];
  return faults.length > 0 ? faults : pairFaults(chosen, rejected);
}

interface Comparison {
  readonly prompt_conversation: unknown;
  readonly completion_A: unknown;
  readonly completion_B: unknown;
}

/** Preference records: one prompt, a better and a worse answer. */
export const PREFERENCE_FORMATS = {
  trl: {
    of: "pair",
    summary:
      "TRL DPOTrainer and RewardTrainer: prompt, chosen, rejected as message lists, margin from the scheme",
    schema: fieldsOf({ prompt: MESSAGES, chosen: MESSAGES, rejected: MESSAGES, margin: DOUBLE }),
    rowsPerPair: 1,
    // Without a prompt column the trainer would take the answers' common beginning for one.
    toRecord: (pair) => ({
      prompt: prompt(pair),
      chosen: answerTurn(pair.chosen),
      rejected: answerTurn(pair.rejected),
      margin: pair.margin,
    }),
    read: ({ prompt, chosen }) => ({ prompt: turns(prompt), label: labelOf(chosen) }),
    faults: ({ prompt, chosen, rejected }) => [
      ...promptFaults("prompt", prompt),
      ...allFaults(["chosen", "rejected"], chosen, rejected),
    ],
  },
  openai: {
    of: "pair",
    summary: "OpenAI, Together and Fireworks preference fine-tuning",
    schema: fieldsOf({
      input: struct({ messages: MESSAGES }),
      preferred_output: MESSAGES,
      non_preferred_output: MESSAGES,
    }),
    rowsPerPair: 1,
    toRecord: (pair) => ({
      input: { messages: prompt(pair) },
      preferred_output: answerTurn(pair.chosen),
      non_preferred_output: answerTurn(pair.rejected),
    }),
    read: ({ input, preferred_output }) => ({
      prompt: turns((input as { messages: unknown }).messages),
      label: labelOf(preferred_output),
    }),
    faults: ({ input, preferred_output, non_preferred_output }) => [
      ...promptFaults("input.messages", (input as { messages: unknown }).messages),
      ...allFaults(
        ["preferred_output", "non_preferred_output"],
        preferred_output,
        non_preferred_output,
      ),
    ],
  },
  tinker: {
    of: "pair",
    summary: "Tinker cookbook: comparisons with the chosen answer on either side equally often",
    schema: fieldsOf({
      comparison: struct({
        prompt_conversation: MESSAGES,
        completion_A: MESSAGES,
        completion_B: MESSAGES,
      }),
      label: STRING,
    }),
    rowsPerPair: 1,
    toRecord: (pair) => {
      const [a, b] = pair.chosenFirst ? [pair.chosen, pair.rejected] : [pair.rejected, pair.chosen];
      return {
        comparison: {
          prompt_conversation: prompt(pair),
          completion_A: answerTurn(a),
          completion_B: answerTurn(b),
        },
        label: pair.chosenFirst ? "A" : "B",
      };
    },
    read: ({ comparison, label }) => {
      const { prompt_conversation, completion_A, completion_B } = comparison as Comparison;
      const chosen = label === "A" ? completion_A : completion_B;
      return { prompt: turns(prompt_conversation), label: labelOf(chosen) };
    },
    faults: ({ comparison, label }) => {
      // The trainer would take any other label, a tie too, for B.
      if (label !== "A" && label !== "B") return [`label: must be A or B, not ${label}`];
      const { prompt_conversation, completion_A, completion_B } = comparison as Comparison;
      const isA = label === "A";
      return [
        ...promptFaults("comparison.prompt_conversation", prompt_conversation),
        ...allFaults(
          isA ? ["completion_A", "completion_B"] : ["completion_B", "completion_A"],
          isA ? completion_A : completion_B,
          isA ? completion_B : completion_A,
        ),
      ];
    },
  },
  kto: {
    of: "pair",
    summary: "TRL KTOTrainer: prompt, completion and whether it is the better one",
    schema: fieldsOf({ prompt: MESSAGES, completion: MESSAGES, label: BOOL }),
    rowsPerPair: 2,
    toRecord: (pair) => ({
      prompt: prompt(pair),
      completion: answerTurn(pair[pair.half]),
      label: pair.half === "chosen",
    }),
    read: ({ prompt, completion, label }) => ({
      prompt: turns(prompt),
      label: label === true ? labelOf(completion) : null,
    }),
    faults: ({ prompt, completion, label }) => [
      ...promptFaults("prompt", prompt),
      ...(label === true ? goodAnswerFaults : answerFaults)("completion", completion),
    ],
  },
} as const satisfies Record<string, PairFormat>;
