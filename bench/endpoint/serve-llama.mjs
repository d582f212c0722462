// Serves one GGUF model through node-llama-cpp behind a thin OpenAI-shaped handler: chat
// completions with seed, temperature, top_p, max_tokens, logprobs and top_logprobs. One request
// at a time. See README.md for what to install; nothing of it belongs to this package.
//   node bench/endpoint/serve-llama.mjs --packages DIR --gguf FILE [--port 8080] [--last-turn continue|close|ask]
import { once } from "node:events";
import { createServer } from "node:http";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Template } from "@huggingface/jinja";

const { values: args } = parseArgs({
  options: {
    packages: { type: "string" },
    gguf: { type: "string" },
    port: { type: "string", default: "0" },
    /** What a begun answer leads to: going on, a new turn, or whatever the request asks for. */
    "last-turn": { type: "string", default: "continue" },
  },
});
if (!args.packages || !args.gguf) throw new Error("give --packages and --gguf; see README.md");

const entry = resolve(args.packages, "node_modules/node-llama-cpp/dist/index.js");
const { getLlama } = await import(pathToFileURL(entry).href);
// One thread: several wait for each other actively, and stall on a machine that others use, too.
const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", maxThreads: 1 });
const model = await llama.loadModel({ modelPath: resolve(args.gguf) });
const context = await model.createContext({ contextSize: 4096, flashAttention: false, threads: 1 });
const sequence = context.getSequence();
const template = new Template(model.fileInfo.metadata.tokenizer.chat_template);

/** The whole distribution of the next token, before any sampling. */
const RAW = { temperature: 1, topK: 0, topP: 1, minP: 0 };

async function complete(body) {
  const tokens = model.tokenize(renderPrompt(body), true);
  const limit = body.max_completion_tokens ?? body.max_tokens ?? 256;
  if (tokens.length + limit > context.contextSize) {
    throw Object.assign(new Error(`${tokens.length} prompt tokens are too many`), { status: 400 });
  }
  await sequence.clearHistory();
  const answer = body.logprobs
    ? await scoreFirst(tokens, body.top_logprobs ?? 0)
    : await write(tokens, limit, body);
  const usage = { prompt_tokens: tokens.length, completion_tokens: answer.count };
  return {
    object: "chat.completion",
    model: basename(args.gguf),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: answer.text },
        finish_reason: answer.finish,
        logprobs: answer.logprobs ?? null,
      },
    ],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
}

/** The chat as text; a begun answer that is to be continued loses all that follows it. */
function renderPrompt({ messages, continue_final_message: asked = false }) {
  const last = messages.at(-1);
  const mode = args["last-turn"];
  const goesOn = last.role === "assistant" && (mode === "continue" || (mode === "ask" && asked));
  const text = template.render({ messages, add_generation_prompt: !goesOn });
  return goesOn ? text.slice(0, text.lastIndexOf(last.content) + last.content.length) : text;
}

async function write(tokens, limit, { temperature = 1, top_p: topP = 1, seed }) {
  const written = [];
  let finish = "length";
  const sampling = { temperature, topP, topK: 0, minP: 0, ...(seed !== undefined && { seed }) };
  for await (const token of sequence.evaluate(tokens, { ...sampling, yieldEogToken: true })) {
    if (model.isEogToken(token)) {
      finish = "stop";
      break;
    }
    written.push(token);
    if (written.length === limit) break;
  }
  return { text: model.detokenize(written), finish, count: written.length };
}

/** One token with the list of the most likely ones. */
async function scoreFirst(tokens, count) {
  const last = tokens.at(-1);
  const ask = { generateNext: { probabilities: true, options: RAW } };
  const evaluated = await sequence.controlledEvaluate([...tokens.slice(0, -1), [last, ask]]);
  const { probabilities } = evaluated.at(-1).next;
  const ranked = [...probabilities].sort((a, b) => b[1] - a[1]);
  const entries = ranked.slice(0, Math.max(1, count)).map(([token, p]) => ({
    token: model.detokenize([token], true),
    // JSON has no -Infinity; the protocol's own mark stands for it.
    logprob: p > 0 ? Math.log(p) : -9999,
    bytes: null,
  }));
  const [first] = entries;
  const content = [{ ...first, top_logprobs: entries.slice(0, count) }];
  return { text: first.token, finish: "length", count: 1, logprobs: { content } };
}

let turn = Promise.resolve();

const server = createServer(async (request, response) => {
  const send = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    if (request.url !== "/v1/chat/completions") {
      return send(404, { error: { message: `no such path: ${request.url}` } });
    }
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
    const mine = turn.then(() => complete(body));
    turn = mine.catch(() => {});
    send(200, await mine);
  } catch (error) {
    send(error.status ?? 500, { error: { message: error.message } });
  }
});
server.listen(Number(args.port), "127.0.0.1");
await once(server, "listening");
console.log(`http://127.0.0.1:${server.address().port}/v1#${basename(args.gguf, ".gguf")}`);
