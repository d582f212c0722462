import { SteerError } from "../../core/errors.ts";
import type { Message } from "../../task/prompt.ts";
import type { Model, ModelDescription } from "../model.ts";
import { answerRequests } from "./answer-requests.ts";
import { makeChatTemplate } from "./chat-template.ts";
import { type Continuation, encodeJointly } from "./continuation.ts";
import { requestContinuation } from "./continuation-request.ts";
import { describeFolder, findEndIds, hashFolder } from "./folder-facts.ts";
import { openJobPool } from "./job-pool.ts";
import type { ModelFolder } from "./model-folder.ts";
import type { ModelParts } from "./model-parts.ts";
import { makePromptEncoder } from "./prompt-encoder.ts";
import { loadRuntime } from "./runtime.ts";
import { scoreRequests } from "./score-requests.ts";
import { makeTokenizer } from "./tokenizer.ts";
import { fixWorkers, planWorkers } from "./worker-count.ts";

/** How a model is run: it changes the speed, and the answers by no more than rounding. */
export interface LocalOptions {
  /**
   * Threads that each hold the weights and run one call at a time. Default: the cores, or fewer
   * when memory does not hold so many copies. 0 runs in the calling thread, which stands still
   * during each call.
   */
  readonly workers?: number | undefined;
  /** Read what prompts have in common once. Default true. */
  readonly sharePrefixes?: boolean | undefined;
}

/** A model folder, opened. */
export interface LocalModel extends Model {
  readonly workers: number;
  /** Threads inside the calls of each worker. */
  readonly threads: number;
  /** A chat as the model reads it, with the beginning of the assistant's turn. */
  promptText(messages: readonly Message[], begun?: string): string;
  /**
   * Log-probability of a text behind a prompt, both as the model reads them: the sum over the
   * text's tokens, tokenised jointly with the prompt.
   *
   * @throws SteerError `invalid` when there is nothing to score, `impossible` when both together
   * exceed the context limit
   */
  continuationLogProb(prompt: string, text: string): Promise<Continuation>;
}

/**
 * Loads a model folder that was read, whatever its graph is made of.
 *
 * @param spec how the command line names it
 * @throws SteerError for what only loading shows
 */
export async function openLocalModel(
  spec: string,
  folder: ModelFolder,
  { workers, sharePrefixes = true }: LocalOptions,
): Promise<LocalModel> {
  const { config, graph, graphName, tokenizerConfig } = folder;
  const tokenizer = makeTokenizer(folder.tokenizer, tokenizerConfig);
  const template = makeChatTemplate(folder.templateFile, tokenizerConfig, tokenizer.named);
  const endIds = findEndIds(config, tokenizer);
  const { weightBytes } = graph;
  const plan = workers === undefined ? planWorkers(weightBytes) : fixWorkers(workers, weightBytes);
  const source = {
    graph,
    file: graphName,
    vocabulary: config.vocabulary,
    threads: plan.threads,
    tokenizer: folder.tokenizer,
    tokenizerConfig,
    endIds,
    contextLength: config.contextLength,
  };
  const [files, runtime] = await Promise.all([hashFolder(folder), loadRuntime()]);
  const pool = await openJobPool(source, plan.workers);
  const encoder = makePromptEncoder(template, tokenizer, config.contextLength);
  const parts: ModelParts = { encoder, pool, sharePrefixes };
  const description: ModelDescription = {
    spec,
    name: folder.name,
    files,
    dtype: graph.weights,
    endTokens: endIds.map((id) => tokenizer.decode([id])),
    details: {
      ...describeFolder(folder),
      template: template.description,
      runtime: `onnxruntime-node ${runtime.env.versions.node ?? "of unknown version"}`,
      sharePrefixes,
    },
  };
  let closing: Promise<void> | undefined;
  const requireOpen = () => {
    if (closing !== undefined) throw new SteerError("state", `model ${folder.name} is closed`);
  };

  return {
    ...plan,
    describe: () => description,
    promptText: (messages, begun = "") => template.render(messages) + begun,
    async scoreLetters(requests, watch = {}) {
      requireOpen();
      return scoreRequests(parts, requests, watch);
    },
    async generate(requests, sampling, watch = {}) {
      requireOpen();
      return answerRequests(parts, requests, sampling, watch);
    },
    async continuationLogProb(prompt, text) {
      requireOpen();
      const joint = encodeJointly(tokenizer.encode, prompt, text);
      if (joint.ids.length > config.contextLength) {
        const sizes = `${joint.ids.length} tokens exceed the model's limit of ${config.contextLength}`;
        throw new SteerError("impossible", `prompt and text: ${sizes}`);
      }
      return requestContinuation(pool, joint);
    },
    close() {
      closing ??= pool.close();
      return closing;
    },
  };
}
