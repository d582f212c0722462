import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { LABELS } from "../../../src/core/intervention.ts";
import type { GenerateRequest, LetterRequest } from "../../../src/model/model.ts";
import type { LocalModel, LocalOptions } from "../../../src/model/onnx/local-model.ts";
import { openOnnxModel } from "../../../src/model/onnx/onnx-model.ts";
import type { Message } from "../../../src/task/prompt.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { repositoryPath } from "../../support/fixtures.ts";

/** The embedded model: 644 to 908 tokens a decision prompt, numbers known to float64. */
export const TINY = repositoryPath("models/tiny");
/** A decoder of one layer that reads a token a character, one graph for each exported form. */
export const MICRO = repositoryPath("test/fixtures/onnx/micro");
/** Looks its logits up: each word has one follower of a known log-probability. */
export const BIGRAM = repositoryPath("test/fixtures/onnx/bigram");

/** What `models/tiny/reference.json` says about one prompt. */
export interface ReferencePrompt {
  readonly id: string;
  readonly messages: readonly Message[];
  /** What the assistant's turn begins with. */
  readonly prefix: string;
  readonly text: string;
  readonly ids: readonly number[];
  readonly letterIds: Readonly<Record<string, number>>;
  readonly logprobs: Readonly<Record<string, number>>;
  readonly letterMass: number;
  /** Up to 32 tokens, without the end token that closes them. */
  readonly greedy: {
    readonly ids: readonly number[];
    readonly text: string;
    readonly finish: "stop" | "length";
  };
  readonly answer: {
    readonly text: string;
    readonly ids: readonly number[];
    readonly logprob: number;
  };
}

/** The frozen reference of the tiny model. */
export const REFERENCE = JSON.parse(readFileSync(join(TINY, "reference.json"), "utf8")) as {
  readonly prompts: readonly ReferencePrompt[];
  readonly texts: readonly { readonly text: string; readonly ids: readonly number[] }[];
};

/** Reference prompts of the decision readout. */
export const DECISIONS = REFERENCE.prompts.filter(({ prefix }) => prefix !== "");

/** Opens a model in the calling thread and closes it at the end of the test. */
export async function openForTest(
  location: string,
  options: LocalOptions = {},
): Promise<LocalModel> {
  const model = await openOnnxModel(location, { workers: 0, ...options });
  onTestFinished(() => model.close());
  return model;
}

/** A copy of a model folder that a test may break. */
export function copyModel(folder: string): string {
  const copy = join(temporaryFolder(), "model");
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const situation = { id: "t", task: "t", memory: [], observation: "o" };

/** A request to score letters behind these messages. */
export function letterRequest(id: string, messages: readonly Message[]): LetterRequest {
  return { id, situation, messages, letters: LABELS };
}

/** A request to answer these messages. */
export function textRequest(
  id: string,
  messages: readonly Message[],
  samples: readonly number[] = [0],
): GenerateRequest {
  return { id, situation, messages, samples };
}

/** A chat of one user turn, short enough for the micro model. */
export function shortChat(text: string): Message[] {
  return [
    { role: "system", content: "Choose A, B, C, D or E. One letter, nothing else." },
    { role: "user", content: text },
  ];
}

/** Chats of different lengths that share beginnings of different lengths. */
export const SHORT_CHATS = [
  "The build is green. Deploy it now?",
  "The build is green. Deploy it after lunch, unless the audit is still running?",
  "The build is red.",
  "No one has answered yet; ask again or wait?",
  "No one has answered yet; the token expired on 2026-03-01.",
  "x",
].map(shortChat);

/** The largest absolute difference of two lists of numbers. */
export function largestGap(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? Number.NaN))));
}
