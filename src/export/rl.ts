import { isLabel, type Label } from "../core/intervention.ts";
import type { Message } from "../task/prompt.ts";
import type { Example, TraceFormat } from "./format-types.ts";
import { promptFor } from "./messages.ts";
import { fieldsOf, INT, MESSAGES, STRING, struct } from "./record-schema.ts";
import { promptFaults, turns } from "./turn-rules.ts";

function prompt({ trace, system }: Example): Message[] {
  return promptFor(trace, "generative", system);
}

function goldFaults(path: string, gold: unknown): string[] {
  return isLabel(gold) ? [] : [`${path}: not one of the five labels: ${gold}`];
}

/** Prompts with the label that a reward function compares with; the labels' prices stay out. */
export const RL_FORMATS = {
  trl: {
    of: "trace",
    summary: "TRL GRPOTrainer and RLOOTrainer: prompt, gold and ids, passed to the reward function",
    // The trainer claims prompts, completions, completion_ids, environment and more: avoid them.
    schema: fieldsOf({
      prompt: MESSAGES,
      gold: STRING,
      trace_id: STRING,
      family_id: STRING,
      domain: STRING,
    }),
    toRecord: (example) => ({
      prompt: prompt(example),
      gold: example.trace.label,
      trace_id: example.trace.id,
      family_id: example.trace.family,
      domain: example.trace.domain,
    }),
    read: ({ prompt, gold, trace_id, family_id }) => ({
      prompt: turns(prompt),
      label: gold as Label,
      traceId: trace_id as string,
      familyId: family_id as string,
    }),
    faults: ({ prompt, gold }) => [...promptFaults("prompt", prompt), ...goldFaults("gold", gold)],
  },
  verl: {
    of: "trace",
    summary: "verl RLHFDataset: reward_model.ground_truth and extra_info for compute_score",
    schema: fieldsOf({
      data_source: STRING,
      prompt: MESSAGES,
      ability: STRING,
      reward_model: struct({ style: STRING, ground_truth: STRING }),
      extra_info: struct({
        split: STRING,
        index: INT,
        trace_id: STRING,
        family_id: STRING,
        domain: STRING,
      }),
    }),
    toRecord: (example) => ({
      // A name that verl knew would call its own scorer.
      data_source: "steerbench/v1",
      prompt: prompt(example),
      ability: "steering",
      reward_model: { style: "rule", ground_truth: example.trace.label },
      extra_info: {
        split: example.part,
        index: example.index,
        trace_id: example.trace.id,
        family_id: example.trace.family,
        domain: example.trace.domain,
      },
    }),
    read: ({ prompt, reward_model, extra_info }) => {
      const { trace_id, family_id } = extra_info as { trace_id: string; family_id: string };
      const label = (reward_model as { ground_truth: Label }).ground_truth;
      return { prompt: turns(prompt), label, traceId: trace_id, familyId: family_id };
    },
    faults: ({ prompt, reward_model }) => [
      ...promptFaults("prompt", prompt),
      ...goldFaults(
        "reward_model.ground_truth",
        (reward_model as { ground_truth: unknown }).ground_truth,
      ),
    ],
  },
  "nemo-gym": {
    of: "trace",
    summary: "NeMo Gym: responses_create_params with the fields that the resources server declares",
    schema: fieldsOf({
      responses_create_params: struct({ input: MESSAGES }),
      trace_id: STRING,
      gold: STRING,
      domain: STRING,
      agent_ref: struct({ type: STRING, name: STRING }),
    }),
    toRecord: (example) => ({
      responses_create_params: { input: prompt(example) },
      trace_id: example.trace.id,
      gold: example.trace.label,
      domain: example.trace.domain,
      agent_ref: { type: "responses_api_agents", name: "steerbench_simple_agent" },
    }),
    read: ({ responses_create_params, gold, trace_id }) => ({
      prompt: turns((responses_create_params as { input: unknown }).input),
      label: gold as Label,
      traceId: trace_id as string,
    }),
    faults: ({ responses_create_params, gold }) => [
      ...promptFaults(
        "responses_create_params.input",
        (responses_create_params as { input: unknown }).input,
      ),
      ...goldFaults("gold", gold),
    ],
  },
} as const satisfies Record<string, TraceFormat>;
