// The demo set's decision prompts in blocks of whole families, and what they share.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeChatTemplate } from "../../dist/model/onnx/chat-template.js";
import { readModelFolder } from "../../dist/model/onnx/model-folder.js";
import { buildPrefixTree } from "../../dist/model/onnx/prefix-tree.js";
import { makePromptEncoder } from "../../dist/model/onnx/prompt-encoder.js";
import { makeTokenizer } from "../../dist/model/onnx/tokenizer.js";
import { lettersAt, offsetOf } from "../../dist/task/letters.js";
import { buildPrompt, DECISION_PREFIX } from "../../dist/task/prompt.js";

export function readBlocks(model, set, { blocks, families }) {
  const folder = readModelFolder(model);
  const { config, layout, tokenizer: content, tokenizerConfig } = { ...folder, ...folder.graph };
  const tokenizer = makeTokenizer(content, tokenizerConfig);
  const template = makeChatTemplate(folder.templateFile, tokenizerConfig, tokenizer.named);
  const encoder = makePromptEncoder(template, tokenizer, config.contextLength);
  const ask = (trace, turn) => {
    const offset = (offsetOf(trace.id) + turn) % 5;
    const messages = buildPrompt(trace, { readout: "decision", offset });
    const chat = encoder.encode(messages, DECISION_PREFIX, 0);
    const request = { id: trace.id, situation: trace, messages, letters: lettersAt(offset) };
    return {
      id: trace.id,
      request,
      text: chat.text,
      ids: chat.ids,
      letterIds: encoder.letterIds(chat),
    };
  };
  const traces = readTraces(set);
  const names = [...new Set(traces.map(({ family }) => family))].slice(0, blocks * families);
  const chosen = [];
  for (let i = 0; i < names.length; i += families) {
    const own = traces.filter(({ family }) => names.slice(i, i + families).includes(family));
    const prompts = own.map((trace) => ask(trace, 0));
    const turned = own.map((trace) => [0, 1, 2, 3, 4].map((turn) => ask(trace, turn)));
    chosen.push({ prompts, turned: new Map(own.map(({ id }, k) => [id, turned[k]])) });
  }
  const all = chosen.flatMap(({ prompts }) => prompts.map(({ ids }) => ids));
  return { blocks: chosen, facts: describe(all, chosen, layout, model) };
}

function readTraces(set) {
  const folder = join(set, "traces");
  const lines = readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Tokens that a walk of the tree of these sequences reads. */
export function treeTokens(sequences) {
  const count = ({ tokens, leaves, children }) =>
    tokens.length +
    leaves.reduce((sum, leaf) => sum + leaf.tokens.length, 0) +
    children.reduce((sum, child) => sum + count(child), 0);
  return count(buildPrefixTree(sequences));
}

function describe(all, blocks, layout, model) {
  const total = all.reduce((sum, ids) => sum + ids.length, 0);
  const common = all[0].findIndex((id, i) => all.some((ids) => ids[i] !== id));
  const read = blocks.reduce(
    (sum, { prompts }) => sum + treeTokens(prompts.map(({ ids }) => ids)),
    0,
  );
  const turned = blocks.flatMap((block) => [...block.turned.values()].flat());
  const config = JSON.parse(readFileSync(join(model, "config.json"), "utf8"));
  const lengths = all.map((ids) => ids.length);
  return {
    prompts: all.length,
    meanTokens: total / all.length,
    shortest: Math.min(...lengths),
    longest: Math.max(...lengths),
    commonTokens: common,
    commonShare: (common * all.length) / total,
    treeShare: 1 - read / total,
    turnedShare: 1 - treeTokens(turned.map(({ ids }) => ids)) / (5 * total),
    flopsPerToken: flopsPerToken(config),
    attentionFlops: (from, to) => attentionFlops(config, from, to),
    headFlops: 2 * config.hidden_size * config.vocab_size,
    slots: layout.slots.length,
  };
}

/** Multiplications and additions of the layers' products, for each token. */
function flopsPerToken(c) {
  const kv = c.num_key_value_heads * c.head_dim;
  const q = c.num_attention_heads * c.head_dim;
  const weights = c.hidden_size * (2 * q + 2 * kv + 3 * c.intermediate_size);
  return 2 * weights * c.num_hidden_layers;
}

/** Of attention over causal pairs, for tokens from one place to another. */
function attentionFlops(c, from, to) {
  const pairs = (to * (to + 1) - from * (from + 1)) / 2;
  return 4 * c.num_hidden_layers * c.num_attention_heads * c.head_dim * pairs;
}
