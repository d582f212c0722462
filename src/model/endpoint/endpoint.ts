import { setMaxListeners } from "node:events";
import { SteerError } from "../../core/errors.ts";
import { subSeed } from "../../core/random.ts";
import { DECISION_PREFIX, type Message, type Readout } from "../../task/prompt.ts";
import {
  type GenerateRequest,
  type Generation,
  isFailure,
  type LetterRequest,
  type LetterScores,
  type Model,
  type ModelDescription,
  type ModelFailure,
  type Sampling,
  type Watch,
} from "../model.ts";
import { type EndpointAddress, parseAddress } from "./address.ts";
import { type Ask, CONCURRENCY, type ConnectionOptions, connect } from "./connection.ts";
import { readLetterScores, TOP_LOGPROBS } from "./letter-scores.ts";
import { detectPrefill, PREFILL_FIELDS, type Prefill } from "./prefill.ts";
import { readGeneration } from "./reply.ts";

/** See {@link openEndpoint}. */
export interface EndpointOptions extends ConnectionOptions {
  /** `decision` first finds out whether the endpoint goes on with a begun answer. */
  readonly readout: Readout;
  /** Ends the opening early. */
  readonly signal?: AbortSignal | undefined;
}

/** Ends the prompt where the answer cannot be begun for the model. */
export const BARE_LETTER_REQUEST = `Leave out ${DECISION_PREFIX}: answer with the letter alone.`;

/**
 * A model behind any endpoint that speaks the OpenAI chat protocol, such as
 * `http://127.0.0.1:8080/v1#model`.
 *
 * Each sample is a request of its own with a seed of its own, so that a resumed run asks for
 * exactly what an unbroken one would; `n` in one request would tie all samples to one seed, and
 * some servers ignore it. In the decision readout the letter follows `choice#` in a begun answer
 * where the endpoint goes on with one; elsewhere the prompt asks for the letter alone. The
 * description says which.
 *
 * @throws SteerError `usage` for a wrong SPEC or key, `unreadable` when the endpoint does not
 *   answer while it is opened for decisions, `interrupted`. The model's own calls throw
 *   `unreadable` when its very first request is refused with 401, 403 or 404.
 */
export async function openEndpoint(spec: string, options: EndpointOptions): Promise<Model> {
  const { readout, signal, ...connection } = options;
  const address = parseAddress(spec);
  const ask = await connect(address, connection);
  const prefill = readout === "decision" ? await requirePrefill(ask, signal) : null;
  const description = describe(address, prefill);
  return {
    workers: options.concurrency ?? CONCURRENCY,
    describe: () => description,
    generate: (requests, sampling, watch) =>
      answerAll(requests, (request, stop) => writeAll(ask, request, sampling, stop), watch),
    async scoreLetters(requests, watch) {
      if (prefill === null) {
        throw new SteerError("state", `${address.spec} was opened for written answers only`);
      }
      return answerAll(requests, (request, stop) => scoreOne(ask, request, prefill, stop), watch);
    },
    async close() {},
  };
}

async function requirePrefill(ask: Ask, signal: AbortSignal | undefined): Promise<Prefill> {
  const found = await detectPrefill(ask, signal);
  if (typeof found === "string") return found;
  throw new SteerError(signal?.aborted ? "interrupted" : "unreadable", found.error.message);
}

function describe({ spec, model }: EndpointAddress, prefill: Prefill | null): ModelDescription {
  const request = prefill === "none" && { letterRequest: BARE_LETTER_REQUEST };
  const details = prefill === null ? {} : { prefill, ...request };
  return { spec, name: model, files: {}, dtype: null, endTokens: [], details };
}

/** Answers all requests, as many at once as the connection lets through, and tells of each. */
async function answerAll<Request, Result extends Answer | readonly Answer[]>(
  requests: readonly Request[],
  answer: (request: Request, stop: AbortSignal) => Promise<Result>,
  { signal, onResult }: Watch<Result> = {},
): Promise<Result[]> {
  const stop = AbortSignal.any(signal ? [signal] : []);
  // Each request under way listens; Node takes more than ten listeners for a leak and says so.
  setMaxListeners(0, stop);
  const results = await Promise.all(
    requests.map(async (request, index) => {
      const result = await answer(request, stop);
      if (!isInterrupted(result)) onResult?.(index, result);
      return result;
    }),
  );
  if (stop.aborted) {
    throw new SteerError("interrupted", "stopped before all answers had come");
  }
  return results;
}

type Answer = Generation | LetterScores | ModelFailure;

function isInterrupted(result: Answer | readonly Answer[]): boolean {
  const answers: readonly Answer[] = "length" in result ? result : [result];
  return answers.some((answer) => isFailure(answer) && answer.error.code === "interrupted");
}

function writeAll(
  ask: Ask,
  { id, messages, samples }: GenerateRequest,
  { temperature, topP, maxTokens, seed, tokenLogprobs = false }: Sampling,
  stop: AbortSignal,
): Promise<(Generation | ModelFailure)[]> {
  return Promise.all(
    samples.map(async (sample) => {
      const purpose = `sample ${sample}`;
      const body = {
        messages: [...messages],
        temperature,
        top_p: topP,
        max_tokens: maxTokens,
        seed: wholeSeed(subSeed(seed, purpose, id)),
        ...(tokenLogprobs && { logprobs: true }),
      };
      const read = (reply: unknown) => readGeneration(reply, { tokenLogprobs });
      return ask(body, `${purpose} ${id}`, read, stop);
    }),
  );
}

async function scoreOne(
  ask: Ask,
  { id, messages, letters }: LetterRequest,
  prefill: Prefill,
  stop: AbortSignal,
): Promise<LetterScores | ModelFailure> {
  const body = {
    messages: prefill === "none" ? askForBareLetter(messages) : beginAnswer(messages),
    max_tokens: 1,
    // Some servers report probabilities after temperature and top-p; at 1 these change nothing.
    temperature: 1,
    top_p: 1,
    logprobs: true,
    top_logprobs: TOP_LOGPROBS,
    ...PREFILL_FIELDS[prefill],
  };
  return ask(body, `letters ${letters.join(" ")} ${id}`, readLetterScores, stop);
}

function beginAnswer(messages: readonly Message[]): Message[] {
  return [...messages, { role: "assistant", content: DECISION_PREFIX }];
}

function askForBareLetter(messages: readonly Message[]): Message[] {
  return messages.map((message, at) =>
    at === messages.length - 1
      ? { ...message, content: `${message.content}\n\n${BARE_LETTER_REQUEST}` }
      : message,
  );
}

/** A whole number from 0 to 2^31 − 1, which every server takes for a seed. */
function wholeSeed(hex: string): number {
  return Number.parseInt(hex.slice(0, 8), 16) % 2 ** 31;
}
