import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SteerError } from "../../../src/core/errors.ts";
import { readModelFolder } from "../../../src/model/onnx/model-folder.ts";
import { temporaryFolder } from "../../support/cli.ts";
import { type Break, cut, POINTER, remove, write } from "./break-folder.ts";
import { copyModel, MICRO } from "./support.ts";

const edit =
  (file: string, change: (content: Record<string, never>) => unknown): Break =>
  (folder) => {
    const path = join(folder, file);
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")))));
  };
/** Swaps a name in a graph for one of the same length. */
const rename =
  (name: string, other: string): Break =>
  (folder) => {
    const path = join(folder, "onnx/model.onnx");
    const swapped = readFileSync(path, "latin1").replaceAll(name, other);
    writeFileSync(path, swapped, "latin1");
  };
const vocab = (ids: readonly number[]) =>
  edit("tokenizer.json", (content) => ({
    ...content,
    added_tokens: [],
    model: { vocab: Object.fromEntries(ids.map((id) => [`token ${id}`, id])) },
  }));
const config = (fields: object) => edit("config.json", (content) => ({ ...content, ...fields }));

/** What is broken, how, the code, and what the message must say: the file, the trouble, the fix. */
const BROKEN: readonly [string, Break, string, RegExp][] = [
  ["no config.json", remove("config.json"), "not_found", /config\.json: is missing; download/],
  ["no tokenizer.json", remove("tokenizer.json"), "not_found", /tokenizer\.json: is missing/],
  [
    "an empty tokenizer.json",
    write("tokenizer.json", ""),
    "unreadable",
    /tokenizer\.json: is empty/,
  ],
  [
    "a cut tokenizer.json",
    cut("tokenizer.json", 900),
    "unreadable",
    /tokenizer\.json: is no JSON or cut short/,
  ],
  [
    "a list as config.json",
    write("config.json", "[]"),
    "invalid",
    /config\.json: must hold one JSON object/,
  ],
  [
    "no vocab_size",
    config({ vocab_size: undefined }),
    "invalid",
    /config\.json: vocab_size: required/,
  ],
  [
    "no context limit",
    config({ max_position_embeddings: undefined }),
    "invalid",
    /max_position_embeddings: is missing/,
  ],
  [
    "an encoder",
    config({ architectures: ["BertForMaskedLM"] }),
    "invalid",
    /config\.json: BertForMaskedLM is no causal language model; use/,
  ],
  [
    "an encoder with decoder",
    config({ is_encoder_decoder: true }),
    "invalid",
    /config\.json: .*no causal language model/,
  ],
  [
    "no graph",
    (folder) => rmSync(join(folder, "onnx"), { recursive: true }),
    "not_found",
    /onnx\/model\.onnx: is missing; export/,
  ],
  ["an empty graph", write("onnx/model.onnx", ""), "unreadable", /onnx\/model\.onnx: is empty/],
  [
    "a pointer as graph",
    write("onnx/model.onnx", POINTER),
    "unreadable",
    /onnx\/model\.onnx: is a git-lfs pointer of \d+ bytes; run `git lfs pull`/,
  ],
  [
    "a page as graph",
    write("onnx/model.onnx", "<!DOCTYPE html><html></html>"),
    "unreadable",
    /onnx\/model\.onnx: is no ONNX file or cut short/,
  ],
  [
    "a cut graph",
    cut("onnx/model.onnx", 3000),
    "unreadable",
    /onnx\/model\.onnx: is no ONNX file or cut short: .* needs bytes up to \d+, and the file has 3000; download/,
  ],
  [
    "foreign inputs",
    rename("position_ids", "pixel_values"),
    "invalid",
    /onnx\/model\.onnx: takes inputs of a foreign architecture: pixel_values; export/,
  ],
  [
    "no logits",
    rename("logits", "hidden"),
    "invalid",
    /onnx\/model\.onnx: takes no input_ids or gives no logits; export/,
  ],
  [
    "no cache given back",
    rename("present.0", "another.0"),
    "invalid",
    /onnx\/model\.onnx: keeps no keys and values/,
  ],
  [
    "a side file outside the folder",
    rename("weights.bin", "../../a.bin"),
    "invalid",
    /keeps tensors outside its own folder, in \.\.\/\.\.\/a\.bin/,
  ],
  [
    "B21: no side file",
    remove("onnx/weights.bin"),
    "not_found",
    /onnx\/weights\.bin: is missing; onnx\/model\.onnx keeps \d+ tensors in it; download it beside/,
  ],
  [
    "B21: a cut side file",
    cut("onnx/weights.bin", 9000),
    "unreadable",
    /onnx\/weights\.bin: has 9000 bytes, but tensor \w+ of onnx\/model\.onnx ends at \d+; download/,
  ],
  [
    "B21: a pointer as side file",
    write("onnx/weights.bin", POINTER),
    "unreadable",
    /onnx\/weights\.bin: is a git-lfs pointer/,
  ],
  [
    "another vocab_size",
    config({ vocab_size: 128 }),
    "mismatch",
    /onnx\/model\.onnx: gives logits for 100 tokens, but config\.json has vocab_size 128; these files belong/,
  ],
  ["a larger tokenizer", vocab([3, 100]), "mismatch", /tokenizer\.json: has a token with id 100/],
  [
    "a smaller tokenizer",
    vocab([1, 2, 3, 4, 5]),
    "mismatch",
    /tokenizer\.json: has 5 tokens, but config\.json has vocab_size 100/,
  ],
  [
    "no vocabulary",
    write("tokenizer.json", "{}"),
    "invalid",
    /tokenizer\.json: model\.vocab: holds no vocabulary/,
  ],
];

describe("a broken model folder is refused before anything is loaded", () => {
  test.each(BROKEN)("%s", (_, breakIt, code, message) => {
    const folder = copyModel(MICRO);
    breakIt(folder);
    const error = catchError(() => readModelFolder(folder));
    expect(error.message).toMatch(message);
    expect(error.message).toContain(folder);
    expect(error.code).toBe(code);
  });

  test("all faults are listed at once", () => {
    const folder = copyModel(MICRO);
    remove("config.json")(folder);
    write("tokenizer.json", "")(folder);
    remove("onnx/weights.bin")(folder);
    const { faults } = catchError(() => readModelFolder(folder));
    expect(faults.map(({ file }) => file.slice(folder.length + 1))).toEqual([
      "config.json",
      "tokenizer.json",
      "onnx/weights.bin",
    ]);
  });

  test("no such folder", () => {
    const error = catchError(() => readModelFolder(join(temporaryFolder(), "none")));
    expect(error).toMatchObject({ code: "not_found" });
  });
});

function catchError(action: () => unknown): SteerError {
  try {
    action();
  } catch (error) {
    if (error instanceof SteerError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
