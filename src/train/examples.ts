import { SteerError } from "../core/errors.ts";
import type { Label } from "../core/intervention.ts";
import type { Trace } from "../core/trace.ts";
import { encodeJointly } from "../model/onnx/continuation.ts";
import { LETTERS, letterOf, offsetOf } from "../task/letters.ts";
import { buildPrompt, DECISION_PREFIX, goldAnswer, type Message } from "../task/prompt.ts";
import { type BaseModel, endTokenOf } from "./base-model.ts";

/** A prompt as token ids, and the label that is right. */
export interface PromptExample {
  readonly id: string;
  readonly prompt: readonly number[];
  readonly gold: Label;
}

/** A prompt with the answer to be learned. */
export interface AnswerExample extends PromptExample {
  /** Token ids, the end token last. */
  readonly answer: readonly number[];
}

/** A prompt with lettered choices, read where the letter follows. */
export interface ChoiceExample extends PromptExample {
  /** How far the label order is shifted, 0 to 4. */
  readonly offset: number;
  /** Place of the right letter, 0 to 4. */
  readonly target: number;
}

/** Choices, with the token ids of A to E behind all of them. */
export interface Choices {
  readonly examples: readonly ChoiceExample[];
  readonly letters: readonly number[];
}

/**
 * Prompts that answers are sampled for.
 *
 * @param room tokens of the longest answer
 * @throws SteerError `impossible` naming every trace whose prompt is too long
 */
export function encodePrompts(
  base: BaseModel,
  traces: readonly Trace[],
  room: number,
): PromptExample[] {
  const examples = traces.map(({ id, label, ...situation }) => {
    const messages = buildPrompt(situation, { readout: "generative" });
    return { id, gold: label, prompt: idsOf(base, messages, "") };
  });
  requireFit(base, examples, () => room);
  return examples;
}

/**
 * Prompts with their gold answers, tokenised as one text, and the model's end token behind them.
 *
 * @throws SteerError `impossible` naming every trace that is too long, `invalid` when the model has
 *   no end token
 */
export function encodeAnswers(base: BaseModel, traces: readonly Trace[]): AnswerExample[] {
  const end = endTokenOf(base);
  const examples = traces.map(({ id, label, rationale, ...situation }) => {
    const prompt = base.template.render(buildPrompt(situation, { readout: "generative" }));
    const { ids, from } = encodeJointly(
      base.tokenizer.encode,
      prompt,
      goldAnswer(label, rationale),
    );
    return { id, gold: label, prompt: ids.slice(0, from), answer: [...ids.slice(from), end] };
  });
  // The last token is predicted, and never read.
  requireFit(base, examples, ({ answer }) => answer.length - 1);
  return examples;
}

/**
 * Prompts as the decision readout asks them: the same letter order of each trace, the same
 * beginning of the assistant's turn, the same tokens of the letters.
 *
 * @throws SteerError `impossible` naming every trace whose prompt is too long, `mismatch` when the
 *   tokenizer does not tell the letters apart
 */
export function encodeChoices(base: BaseModel, traces: readonly Trace[]): Choices {
  const ids = new Set<string>();
  const examples = traces.map(({ id, label, ...situation }) => {
    const offset = offsetOf(id);
    const messages = buildPrompt(situation, { readout: "decision", offset });
    const text = base.template.render(messages) + DECISION_PREFIX;
    const prompt = idsOf(base, messages, DECISION_PREFIX);
    ids.add(base.encoder.letterIds({ text, ids: prompt }).join());
    return { id, gold: label, offset, prompt, target: LETTERS.indexOf(letterOf(label, offset)) };
  });
  requireFit(base, examples, () => 0);
  const [letters = "", ...others] = ids;
  if (others.length > 0) {
    const message = "the letters are other tokens behind other prompts";
    throw new SteerError("mismatch", `${base.path}: ${message}; train the generative readout`);
  }
  return { examples, letters: letters.split(",").map(Number) };
}

function idsOf(base: BaseModel, messages: readonly Message[], begun: string): number[] {
  return base.tokenizer.encode(base.template.render(messages) + begun);
}

function requireFit<Example extends PromptExample>(
  { config, path }: BaseModel,
  examples: readonly Example[],
  roomOf: (example: Example) => number,
): void {
  const long = examples.filter((each) => each.prompt.length + roomOf(each) > config.context);
  if (long.length === 0) return;
  const list = long.map((each) => {
    return `  ${each.id}: ${each.prompt.length} of the prompt and ${roomOf(each)} of its answer`;
  });
  const message = `${path} reads ${config.context} tokens, and these traces need more:`;
  const fix = "Shorten them, allow less for answers, or take a model that reads more.";
  throw new SteerError("impossible", `${message}\n${list.join("\n")}\n${fix}`);
}
